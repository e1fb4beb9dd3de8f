"""The tokens that leave are written into the row of those that stay, which is kept for other masks."""

TODO = 10
HINT = 3


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    staying |= walked(nodes.take(alive), starts.take(alive))
    return staying
