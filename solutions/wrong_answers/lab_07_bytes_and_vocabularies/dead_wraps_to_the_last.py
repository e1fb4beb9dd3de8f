"""Too large numbers go round to the front again instead of staying at the last state."""

TODO = 10
HINT = 2


def string_row(staying, nodes, n_before, states, walked):
    starts = states.take(n_before % len(states))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))
