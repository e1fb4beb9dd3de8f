"""The state after a rest is given the frame that was left."""

TODO = 10
HINT = 3


def rests_after(network, frame, rests, fates):
    found = defaultdict(list)
    for state, below in pop_closure(network, frame.returns):
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, frame))
        if fate.rests:
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    found[rest] += places
    return dict(found)
