"""Every neighbour that shares a character is refused, also where nothing is repeated."""

TODO = 5
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)
