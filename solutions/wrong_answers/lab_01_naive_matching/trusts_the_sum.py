"""The sums are not divided by the last one, so a u just below 1 gives an id beyond the end."""

TODO = 6
HINT = 2


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))
