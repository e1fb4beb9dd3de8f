"""The error is at the repeated atom, but the pattern becomes ambiguous at the next one."""

TODO = 8
HINT = 3


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, left.position)
