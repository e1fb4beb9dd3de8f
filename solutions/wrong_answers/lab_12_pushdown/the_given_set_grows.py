"""The caller's set of items is the one that grows."""

TODO = 6
HINT = 3


def pop_closure(network, items):
    found = items if isinstance(items, set) else set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return found
