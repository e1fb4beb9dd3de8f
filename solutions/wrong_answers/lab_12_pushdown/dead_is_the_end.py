"""An item that cannot read the byte counts as the end of the text."""

TODO = 7
HINT = 3


def step(network, items, byte):
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    bottom = set(items_of([(END,)])) if len(moved) < len(items) else set()
    return merged(item for item in found | bottom if not network.is_last(item[0]))
