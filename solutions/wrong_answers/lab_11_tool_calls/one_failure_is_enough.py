"""One failure link is followed, and then none."""

TODO = 3
HINT = 2


def step(triggers, node, char):
    if char not in triggers.children[node]:
        node = triggers.failure[node]
    return triggers.children[node].get(char, 0)
