"""The rows stay in a list, but the automaton's transitions are a tuple."""

TODO = 9
HINT = 3


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(rows, initial=0, accepting=frozenset({len(atoms)}))
