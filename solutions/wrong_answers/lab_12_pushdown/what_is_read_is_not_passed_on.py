"""A rest that a caller reads goes no further, although the caller may end in it too."""

TODO = 10
HINT = 2


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    for state, below in pop_closure(network, frame.returns):
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        if fate.rests:
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    if rest not in fate.states:
                        found[rest] += places
    return dict(found)
