"""`argmax` of a row of bools is 0 where none is True, and running sums that were not divided may all lie below u."""

TODO = 6
HINT = 2


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(np.cumsum(probs) > u))
