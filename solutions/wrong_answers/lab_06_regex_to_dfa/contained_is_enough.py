"""Only texts that the left automaton matches and the right one does not are looked for."""

TODO = 16
HINT = 1


def equivalent(left, right):
    return not product(left, right, lambda one, other: one and not other).accepting.any()
