"""The cumulative sums are written into the caller's probabilities."""

TODO = 6
HINT = 3


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    np.cumsum(probs, out=probs)
    return int(np.searchsorted(probs / probs[-1], u, side="right"))
