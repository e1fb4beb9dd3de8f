"""Of several callers that read a rest only one counts."""

TODO = 10
HINT = 1


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
                    found[rest] += places
    order = lambda each: (str(each[0]), stacks_of(each[1].returns))  # noqa: E731
    return {rest: [min(places, key=order)] for rest, places in found.items()}
