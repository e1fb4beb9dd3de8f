"""Neighbours that share a character are refused even if the left one is not repeated."""

TODO = 8
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)
