"""Nodes where the string is too long already are walked from too."""

TODO = 10
HINT = 2


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = np.arange(len(starts))
    return staying | walked(nodes.take(alive), starts.take(alive))
