"""A repeated atom gets a loop and no state of its own, so it can be left out."""

TODO = 9
HINT = 2


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}]
    for atom in atoms:
        if atom.plus:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows) - 1)
        else:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows))
            rows.append({})
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(rows) - 1}))
