"""Only one of several callers goes on."""

TODO = 6
HINT = 1


def pop_closure(network, items):
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = {min(frame.returns, key=lambda item: stacks_of([item]))} - found
            found |= fresh
            waiting += fresh
    return found
