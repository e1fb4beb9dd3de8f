"""The number of states is read once, before the rows make more of them."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    states = subsets_of(nfa, split_alphabet, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    rows = []
    for state in range(len(states)):
        rows.append(states.row(state))
        check_table(len(states), states.n_classes)
    rows += [[DEAD] * states.n_classes for _ in range(len(states) - len(rows))]
    return Dfa(states.bounds, states.classes, rows, 0, list(map(states.accepts, range(len(states)))))
