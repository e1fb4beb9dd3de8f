"""An item whose rule may end is left out, although it may go on."""

TODO = 6
HINT = 2


def pop_closure(network, items):
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return {item for item in found if not network.may_end(item[0])}
