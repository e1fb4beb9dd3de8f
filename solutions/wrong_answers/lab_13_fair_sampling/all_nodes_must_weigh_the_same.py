"""All nodes are compared with each other, and not the targets of each."""

TODO = 7
HINT = 2


def is_fair(chain, weights, tolerance=1e-09):
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return bool(alive) and bool(np.ptp([weight for weight in weights if weight > -np.inf]) <= tolerance)
