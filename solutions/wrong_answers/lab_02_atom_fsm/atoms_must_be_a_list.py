"""The atoms are used as a list, although any sequence of them may be given."""

TODO = 8
HINT = 3


def refuse_ambiguity(atoms, pattern):
    rest = atoms.copy()
    while len(rest) > 1:
        left, right = rest.pop(0), rest[0]
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, right.position)
