"""Costs are improved once."""

TODO = 11
HINT = 2


def fewest_tokens(ends, sources, targets, calls, n_states):
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        caller, first, after = calls.T
        np.minimum.at(found, caller, cost[first] + cost[after])
        return found
