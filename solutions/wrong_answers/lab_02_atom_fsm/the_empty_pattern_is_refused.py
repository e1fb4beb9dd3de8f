"""A pattern without atoms is refused, although it matches the empty text."""

TODO = 9
HINT = 3


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    if not atoms:
        raise InvalidPattern("an empty pattern", pattern, 0)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
