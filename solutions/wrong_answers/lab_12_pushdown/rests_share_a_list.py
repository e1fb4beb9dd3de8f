"""Rests that end alike get one list, and what one of them gains the others gain."""

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
                    if rest in found:
                        found[rest] += places
                    else:
                        found[rest] = places
    return found
