"""After a trigger has been found, what was written is forgotten."""

TODO = 3
HINT = 1


def step(triggers, node, char):
    if triggers.found[node] is not None:
        node = 0
    while node and char not in triggers.children[node]:
        node = triggers.failure[node]
    return triggers.children[node].get(char, 0)
