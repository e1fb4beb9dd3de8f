"""The equations are solved with probabilities, and small weights become 0."""

TODO = 3
HINT = 3


def backward_weights(chain):
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    odds = np.exp(weights)
    if n and abs(np.linalg.eigvals(odds[:, :n])).max() >= 1 - 1e-12:
        raise LimitExceeded("the sum diverges", 1)
    with np.errstate(divide="ignore"):
        weights[:, END] = np.log(np.linalg.solve(np.eye(n) - odds[:, :n], odds[:, END]).clip(0))
    return np.append(weights[:, END], 0.0)
