"""Each row is normalised first, as a mask does, so everything that can end weighs 1."""

TODO = 3
HINT = 1


def backward_weights(chain):
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        mass = np.logaddexp.reduce([score for _, score in row.values()])
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score - mass)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log(-np.expm1(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)
