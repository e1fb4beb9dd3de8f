"""Only one of several callers goes on."""

TODO = 7
HINT = 1


def pop_closure(network, items):
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = set(sorted(frame.returns - found, key=lambda item: item[0])[:1])
            found |= fresh
            waiting += fresh
    return found
