"""Every state that can reach an accepting one is called live, even if nothing leads to it."""

TODO = 10
HINT = 1


def live_states(dfa):
    before = defaultdict(set)
    for state, _, target in transitions_of(dfa):
        before[target].add(state)
    return _reachable(np.flatnonzero(dfa.accepting).tolist(), before)
