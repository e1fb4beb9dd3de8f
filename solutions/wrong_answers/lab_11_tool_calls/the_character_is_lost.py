"""After a failure link the character is not read again."""

TODO = 3
HINT = 3


def step(triggers, node, char):
    if char in triggers.children[node]:
        return triggers.children[node][char]
    return triggers.failure[node]
