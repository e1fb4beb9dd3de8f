"""A caller that may end at once does not pass rests on."""

TODO = 10
HINT = 2


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    for state, below in frame.returns:
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        if fate.rests:
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    found[rest] += places
    return dict(found)
