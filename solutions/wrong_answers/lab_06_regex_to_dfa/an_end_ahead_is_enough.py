"""Every state from which an accepting one can be reached is called live, also where nothing leads to it."""

TODO = 10
HINT = 1


def live_states(dfa):
    before = defaultdict(set)
    for state, _, target in transitions_of(dfa):
        before[target].add(state)
    return _reachable(np.flatnonzero(dfa.accepting).tolist(), before)
