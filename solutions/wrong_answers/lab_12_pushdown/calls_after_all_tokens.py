"""Tokens are settled before calls, and what then leads to a call stays infinite."""

TODO = 11
HINT = 2


def fewest_tokens(ends, sources, targets, calls, n_states):
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        before = cost.copy()
        np.minimum.at(cost, sources, cost[targets] + 1)
        if (before == cost).all():
            break
    while True:
        before = cost.copy()
        caller, first, after = calls.T
        np.minimum.at(cost, caller, cost[first] + cost[after])
        if (before == cost).all():
            return cost
