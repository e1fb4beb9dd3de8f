"""The tokens that stay in the string are forgotten."""

TODO = 10
HINT = 3


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return walked(nodes.take(alive), starts.take(alive))
