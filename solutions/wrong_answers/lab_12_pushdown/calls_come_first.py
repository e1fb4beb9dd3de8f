"""A call is tried before the rule itself reads the byte."""

TODO = 2
HINT = 1


def next_stack(network, stack, byte):
    while stack:
        *below, state = stack
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        if state not in network.ends:
            return None
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        stack = tuple(below)
    return None
