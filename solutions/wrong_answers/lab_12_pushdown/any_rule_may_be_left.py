"""A rule is taken off the stack although it may not end."""

TODO = 2
HINT = 2


def next_stack(network, stack, byte):
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        stack = tuple(below)
    return None
