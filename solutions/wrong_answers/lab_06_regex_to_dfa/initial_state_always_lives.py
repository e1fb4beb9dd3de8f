"""The initial state is called live even if no accepting state can be reached from it."""

TODO = 10
HINT = 1


def live_states(dfa):
    after, before = defaultdict(set), defaultdict(set)
    for state, _, target in transitions_of(dfa):
        after[state].add(target)
        before[target].add(state)
    accepting = np.flatnonzero(dfa.accepting).tolist()
    return {dfa.initial} | (_reachable([dfa.initial], after) & _reachable(accepting, before))
