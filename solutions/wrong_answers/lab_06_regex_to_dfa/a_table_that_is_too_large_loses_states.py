"""At the limit it stops making rows, and returns what it has."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    states = subsets_of(nfa, split_alphabet, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    rows = []
    while len(rows) < min(len(states), 60_000):
        rows.append(states.row(len(rows)))
    kept = [[target if target < len(rows) else DEAD for target in row] for row in rows]
    return Dfa(states.bounds, states.classes, kept, 0, list(map(states.accepts, range(len(rows)))))
