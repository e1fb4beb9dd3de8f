"""The new automaton begins in state 0, whatever number the old initial state has now."""

TODO = 12
HINT = 3


def minimize_dfa(dfa):
    live = live_states(dfa)
    if not live:
        return Dfa([0], [DEAD], [[]], initial=0, accepting=[False], symbols=dfa.symbols)
    blocks = sorted(equal_states(dfa, live), key=min)
    number = np.full(len(dfa) + 1, DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    transitions = number[dfa.transitions[first]]
    return merge_columns(Dfa(dfa.bounds, dfa.classes, transitions, 0, dfa.accepting[first], dfa.symbols))
