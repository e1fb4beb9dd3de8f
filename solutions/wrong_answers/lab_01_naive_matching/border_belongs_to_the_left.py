"""The insertion point is to the left of equal entries, so a u on a border chooses the piece that ends there."""

TODO = 6
HINT = 2


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return int(np.searchsorted(cumulative / cumulative[-1], u, side="left"))
