"""Every state after a repeated atom accepts, as if the atoms after it could be left out."""

TODO = 9
HINT = 3


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows, ends = [{} for _ in range(len(atoms) + 1)], {len(atoms)}
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
            ends.add(state + 1)
    return Fsm(tuple(rows), initial=0, accepting=frozenset(ends))
