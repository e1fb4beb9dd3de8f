"""Every reachable state is called live, even if it cannot reach an accepting one."""

TODO = 10
HINT = 1


def live_states(dfa):
    after = defaultdict(set)
    for state, _, target in transitions_of(dfa):
        after[state].add(target)
    return _reachable([dfa.initial], after)
