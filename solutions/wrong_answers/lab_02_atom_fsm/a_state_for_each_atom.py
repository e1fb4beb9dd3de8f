"""There are as many states as atoms, and no state means "all atoms have matched"."""

TODO = 9
HINT = 1


def compile_pattern(pattern):
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    last = max(len(atoms) - 1, 0)
    rows = [{} for _ in range(last + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, min(state + 1, last))
    return Fsm(tuple(rows), initial=0, accepting=frozenset({last}))
