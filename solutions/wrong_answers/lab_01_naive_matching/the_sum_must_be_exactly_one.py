"""Probabilities that add up to a little less than 1 are refused, although rounding does that."""

TODO = 6
HINT = 3


def sample(probs, u):
    if not 0 <= u < 1 or np.cumsum(probs)[-1] != 1:
        raise ValueError(f"u must lie in [0, 1), not {u}, and the probabilities must add up to 1")
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))
