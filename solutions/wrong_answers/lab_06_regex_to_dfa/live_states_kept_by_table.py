"""The live states are kept by the table, although two automata with one table may start and accept elsewhere."""

TODO = 10
HINT = 2


def live_states(dfa, known={}):
    key = dfa.transitions.tobytes()
    if key not in known:
        after, before = defaultdict(set), defaultdict(set)
        for state, _, target in transitions_of(dfa):
            after[state].add(target)
            before[target].add(state)
        ends = np.flatnonzero(dfa.accepting).tolist()
        known[key] = _reachable([dfa.initial], after) & _reachable(ends, before)
    return set(known[key])
