"""Items in which nothing is left to read stay in the kernel."""

TODO = 7
HINT = 2


def step(network, items, byte):
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(found)
