"""The callers of a rule that ends go on, but where these end too, theirs do not."""

TODO = 6
HINT = 1


def pop_closure(network, items):
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
    return found
