"""The DFA accepts in the state that has the number of the NFA's accepting one, whatever set that is."""

TODO = 9
HINT = 2


def nfa_to_dfa(nfa):
    states = subsets_of(nfa, split_alphabet, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    accepting = nfa.accepting
    rows = []
    while len(rows) < len(states):
        rows.append(states.row(len(rows)))
        check_table(len(states), states.n_classes)
    return Dfa(states.bounds, states.classes, rows, 0, [state == accepting for state in range(len(rows))])
