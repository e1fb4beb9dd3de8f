"""The message says that something is ambiguous, and not which two atoms are."""

TODO = 5
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern("this pattern is ambiguous", pattern, right.position)
