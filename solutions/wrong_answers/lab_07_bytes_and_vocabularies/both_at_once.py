"""A token counts only if it stays and leaves, which none does."""

TODO = 10
HINT = 3


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return staying & walked(nodes.take(alive), starts.take(alive))
