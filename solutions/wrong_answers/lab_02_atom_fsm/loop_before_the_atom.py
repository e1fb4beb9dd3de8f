"""The loop is on the state before the repeated atom, so the atom is never passed."""

TODO = 9
HINT = 2


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, state if atom.plus else state + 1)
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
