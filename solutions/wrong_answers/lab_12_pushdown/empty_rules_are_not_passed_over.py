"""Calls of rules that may be empty are not passed over."""

TODO = 5
HINT = 3


def call_closure(network, kernel):
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in [state]:
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items
