"""The most likely completion counts in the place of the sum of all."""

TODO = 3
HINT = 1


def backward_weights(chain):
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = max(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.maximum(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)
