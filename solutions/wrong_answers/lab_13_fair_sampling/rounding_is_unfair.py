"""Weights must be equal to the last bit."""

TODO = 7
HINT = 3


def is_fair(chain, weights, tolerance=1e-09):
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp([weights[target] for target, _ in row.values()]) <= tolerance * 0 for row in alive)
