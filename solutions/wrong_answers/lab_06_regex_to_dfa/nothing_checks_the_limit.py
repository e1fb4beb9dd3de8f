"""Rows are made until there are no more, however many that are."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    states = subsets_of(nfa, split_alphabet, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    rows = []
    while len(rows) < len(states):
        rows.append(states.row(len(rows)))
    return Dfa(states.bounds, states.classes, rows, 0, list(map(states.accepts, range(len(rows)))))
