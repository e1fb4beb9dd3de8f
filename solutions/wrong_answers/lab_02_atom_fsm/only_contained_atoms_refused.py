"""Two neighbours are refused only if the repeated one matches everything that the next one does."""

TODO = 8
HINT = 1


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and right.chars <= left.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)
