"""Dead starts are left out, but their nodes are not."""

TODO = 10
HINT = 3


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes[: len(alive)], starts.take(alive))
