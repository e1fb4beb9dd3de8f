"""Only texts that the left automaton alone matches are looked for, so a smaller language passes for an equal one."""

TODO = 16
HINT = 1


def equivalent(left, right):
    return not product(left, right, lambda one, other: one and not other).accepting.any()
