"""A call puts the called rule on the stack without the state to return to."""

TODO = 2
HINT = 2


def next_stack(network, stack, byte):
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, _target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
    return None
