"""Masking is called fair only where the mask takes nothing away."""

TODO = 7
HINT = 1


def is_fair(chain, weights, tolerance=1e-09):
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(abs(np.logaddexp.reduce([score for _, score in row.values()])) <= tolerance for row in alive)
