"""Readers further down replace those that are known already."""

TODO = 10
HINT = 3


def rests_after(network, frame, rests, fates):
    found = {}
    for state, below in sorted(pop_closure(network, frame.returns), key=lambda item: item[0]):
        if state == END:
            continue
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found.setdefault(rest, []).append((after, below))
        if fate.rests:
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    found[rest] = places
    return found
