"""Two neighbours are refused only if one takes everything that the other does."""

TODO = 8
HINT = 1


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and (left.chars <= right.chars or right.chars <= left.chars):
            problem = f"{left.source!r} and then {right.source!r} take the same characters"
            raise UnsupportedPattern(problem, pattern, right.position)
