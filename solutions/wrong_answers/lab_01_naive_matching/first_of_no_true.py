"""`argmax` of a row without a True is 0, and cumulative sums that were not divided may all be below u."""

TODO = 6
HINT = 2


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(np.cumsum(probs) > u))
