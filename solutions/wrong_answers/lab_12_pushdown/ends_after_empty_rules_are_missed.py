"""A rule that may end after calls of empty rules is not over."""

TODO = 6
HINT = 1


def pop_closure(network, items):
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if state in network.ends:
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return found
