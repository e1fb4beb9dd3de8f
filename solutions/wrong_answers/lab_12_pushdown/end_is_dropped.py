"""The end of the text is dropped with what is over."""

TODO = 7
HINT = 2


def step(network, items, byte):
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(item for item in found if item[0] != END and not network.is_last(item[0]))
