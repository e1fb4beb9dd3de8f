"""Every state that can be reached is called live, also where no accepting one can be reached from it."""

TODO = 10
HINT = 1


def live_states(dfa):
    after = defaultdict(set)
    for state, _, target in transitions_of(dfa):
        after[state].add(target)
    return _reachable([dfa.initial], after)
