"""A call at the end of a rule leaves its caller on the stack."""

TODO = 5
HINT = 2


def call_closure(network, kernel):
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items
