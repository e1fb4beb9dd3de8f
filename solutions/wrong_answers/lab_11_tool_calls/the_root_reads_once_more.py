"""Where no child fits, the character is read at the root, and no failure is followed."""

TODO = 3
HINT = 3


def step(triggers, node, char):
    return triggers.children[node].get(char, triggers.children[0].get(char, 0))
