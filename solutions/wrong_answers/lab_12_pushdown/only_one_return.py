"""At most one rule is taken off the stack for a byte."""

TODO = 2
HINT = 3


def next_stack(network, stack, byte):
    for _ in range(2 if stack else 0):
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
        if not stack:
            return None
    return None
