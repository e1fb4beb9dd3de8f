"""Where no child fits, the search begins again at the root."""

TODO = 3
HINT = 1


def step(triggers, node, char):
    return triggers.children[node].get(char, 0)
