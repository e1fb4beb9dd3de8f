"""The second atom's source is searched for in the pattern, and the search finds an earlier atom."""

TODO = 8
HINT = 3


def refuse_ambiguity(atoms, pattern):
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, pattern.find(right.source))
