"""The loop leads back to the state before the atom, so one more character is required."""

TODO = 9
HINT = 2


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, state + 1)
        if atom.plus:
            rows[state + 1] |= dict.fromkeys(atom.chars, state)
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
