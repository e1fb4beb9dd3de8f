"""Of several items with one state the first is kept, and the callers of the others are lost."""

TODO = 7
HINT = 3


def step(network, items, byte):
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = {}
    for state, frame in sorted(pop_closure(network, moved), key=lambda item: stacks_of([item])):
        if state == END or not network.is_last(state):
            found.setdefault(state, frame)
    return frozenset(found.items())
