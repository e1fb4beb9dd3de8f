"""The atoms are removed from the caller's list as they are compared."""

TODO = 8
HINT = 3


def refuse_ambiguity(atoms, pattern):
    while len(atoms) > 1:
        left, right = atoms[:2]
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, right.position)
        if isinstance(atoms, list):
            atoms.pop(0)
        else:
            atoms = atoms[1:]
