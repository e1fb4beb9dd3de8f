"""The symbols to leave out are read all the same."""

TODO = 14
HINT = 3


def add_copy(nfa, dfa, end, without=()):
    first = len(nfa)
    for _ in range(len(dfa)):
        nfa.add_state()
    for state, symbol_class, target in transitions_of(dfa):
        nfa.moves[first + state].append((dfa.class_ranges[symbol_class], first + target))
    for state in np.flatnonzero(dfa.accepting).tolist():
        nfa.epsilon[first + state].append(end)
    return first
