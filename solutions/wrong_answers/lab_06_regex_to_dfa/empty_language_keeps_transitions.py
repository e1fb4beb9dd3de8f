"""Where no state is live, the initial state keeps its transitions to itself, and the automaton never dies."""

TODO = 12
HINT = 2


def minimize_dfa(dfa):
    live = live_states(dfa) | {dfa.initial}
    blocks = sorted(equal_states(dfa, live), key=min)
    number = np.full(len(dfa) + 1, DEAD)
    for new, block in enumerate(blocks):
        number[list(block)] = new
    first = [min(block) for block in blocks]
    transitions = number[dfa.transitions[first]]
    return merge_columns(
        Dfa(dfa.bounds, dfa.classes, transitions, number[dfa.initial], dfa.accepting[first], dfa.symbols)
    )
