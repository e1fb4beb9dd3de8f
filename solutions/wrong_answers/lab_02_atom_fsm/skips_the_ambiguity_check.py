"""Ambiguity is not refused, so the next atom's transitions overwrite those of the loop."""

TODO = 9
HINT = 2


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
