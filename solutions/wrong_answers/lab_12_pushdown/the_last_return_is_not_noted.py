"""A return to a state in which nothing is left is not put on the stack."""

TODO = 2
HINT = 2


def next_stack(network, stack, byte):
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, after) if network.is_last(target) else (*below, target, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
    return None
