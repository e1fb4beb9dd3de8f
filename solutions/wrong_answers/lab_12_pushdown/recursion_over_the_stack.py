"""The function calls itself for each entry that it takes off the stack."""

TODO = 2
HINT = 3


def next_stack(network, stack, byte):
    if not stack:
        return None
    *below, state = stack
    if (after := network.step(state, byte)) != DEAD:
        return (*below, after)
    for rule, target in network.calls.get(state, ()):
        if (after := network.step(network.initial[rule], byte)) != DEAD:
            return (*below, target, after)
    return next_stack(network, tuple(below), byte) if state in network.ends else None
