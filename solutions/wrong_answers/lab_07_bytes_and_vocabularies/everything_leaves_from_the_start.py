"""Every token is walked on from the first state, whatever it has read of the string."""

TODO = 10
HINT = 1


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.zeros_like(n_before))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))
