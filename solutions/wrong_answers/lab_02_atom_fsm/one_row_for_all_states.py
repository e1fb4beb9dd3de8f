"""The list of rows is made by multiplication, so every state shares one dictionary."""

TODO = 9
HINT = 3


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}] * (len(atoms) + 1)
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
