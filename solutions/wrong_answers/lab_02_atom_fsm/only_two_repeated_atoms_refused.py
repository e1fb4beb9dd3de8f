"""Two neighbours are refused only if both are repeated, but one loop is enough."""

TODO = 8
HINT = 2


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and right.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} are both repeated"
            raise UnsupportedPattern(problem, pattern, right.position)
