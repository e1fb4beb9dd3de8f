"""The message says that the pattern is ambiguous, but not which two atoms make it so."""

TODO = 8
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern("this pattern is ambiguous", pattern, right.position)
