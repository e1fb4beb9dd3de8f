"""A caller that may end passes rests on by a call of the function."""

TODO = 10
HINT = 2


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    if not rests:
        return {}
    for state, below in frame.returns:
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        left = {shorter: list(longer) for shorter, longer in fate.rests.items()}
        if network.may_end(state):
            for rest in rests:
                left.setdefault(rest, []).append(rest)
        for shorter, places in rests_after(network, below, frozenset(left), fates).items():
            for rest in left[shorter]:
                found[rest] += places
    return dict(found)
