"""Where several tokens leave a state, the last one sets its cost."""

TODO = 11
HINT = 3


def fewest_tokens(ends, sources, targets, calls, n_states):
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        found[sources] = np.minimum(found[sources], cost[targets] + 1)
        caller, first, after = calls.T
        np.minimum.at(found, caller, cost[first] + cost[after])
        if (found == cost).all():
            return cost
        cost = found
