"""What is left after a call is not counted."""

TODO = 11
HINT = 1


def fewest_tokens(ends, sources, targets, calls, n_states):
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        caller, first, _after = calls.T
        np.minimum.at(found, caller, cost[first])
        if (found == cost).all():
            return cost
        cost = found
