"""State 0 is taken for a dead one, so nothing leaves the string from there."""

TODO = 10
HINT = 2


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts > 0).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))
