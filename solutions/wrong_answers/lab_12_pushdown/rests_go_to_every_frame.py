"""The whole rest is passed down, and not what is left of it."""

TODO = 10
HINT = 3


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    for state, below in pop_closure(network, frame.returns):
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        if fate.rests:
            for shorter, places in rests_after(network, below, rests, fates).items():
                for rest in [shorter]:
                    found[rest] += places
    return dict(found)
