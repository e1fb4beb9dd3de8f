"""The weights are compared as probabilities, and small ones are all within the tolerance."""

TODO = 7
HINT = 3


def is_fair(chain, weights, tolerance=1e-09):
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp(np.exp([weights[target] for target, _ in row.values()])) <= tolerance for row in alive)
