"""Two neighbours are refused only if they match exactly the same characters."""

TODO = 8
HINT = 1


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and left.chars == right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)
