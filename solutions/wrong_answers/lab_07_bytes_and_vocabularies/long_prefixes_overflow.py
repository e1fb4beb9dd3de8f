"""The number of characters is taken as the index, although the last state is for all larger numbers."""

TODO = 10
HINT = 2


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(n_before)
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))
