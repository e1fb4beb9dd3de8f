"""The equations are iterated a hundred times, which is too few for a loop near 1."""

TODO = 3
HINT = 1


def backward_weights(chain):
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    found = np.append(np.full(n, -np.inf), 0.0)
    for _ in range(100):
        found[:n] = np.logaddexp.reduce(weights + found, axis=1)
        if found.max() > 1:
            raise LimitExceeded("the sum diverges", 1)
    return found
