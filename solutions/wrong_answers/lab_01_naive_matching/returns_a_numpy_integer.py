"""NumPy's integer is returned, which is not a plain int."""

TODO = 6
HINT = 3


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return np.searchsorted(cumulative / cumulative[-1], u, side="right")
