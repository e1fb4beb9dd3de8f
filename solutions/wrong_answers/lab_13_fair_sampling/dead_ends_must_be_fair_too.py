"""Nodes from which no text ends are judged as well."""

TODO = 7
HINT = 2


def is_fair(chain, weights, tolerance=1e-09):
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight < np.inf]
    return all(
        max(abs(weights[t] - weights[s]) for t, _ in row.values() for s, _ in row.values()) <= tolerance
        if row and np.isfinite([weights[t] for t, _ in row.values()]).all()
        else False
        for row in alive
    )
