"""An id beyond the end is clamped to the last one, even if that has probability zero."""

TODO = 6
HINT = 2


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return min(int(np.searchsorted(np.cumsum(probs), u, side="right")), len(probs) - 1)
