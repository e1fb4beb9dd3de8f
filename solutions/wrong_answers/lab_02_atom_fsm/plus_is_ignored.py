"""The automaton has no loops: a repeated atom matches exactly one character."""

TODO = 9
HINT = 1


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [dict.fromkeys(atom.chars, state + 1) for state, atom in enumerate(atoms)]
    return Fsm((*rows, {}), initial=0, accepting=frozenset({len(atoms)}))
