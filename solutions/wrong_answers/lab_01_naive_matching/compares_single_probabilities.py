"""u is compared with each single probability, not with the cumulative sum."""

TODO = 6
HINT = 1


def sample(probs, u):
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(probs > u))
