"""The end of the text is asked what it reads."""

TODO = 10
HINT = 1


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    for state, below in pop_closure(network, frame.returns):
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        if fate.rests:
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    found[rest] += places
    return dict(found)
