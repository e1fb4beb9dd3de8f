"""The logits themselves are taken for probabilities."""

TODO = 4
HINT = 3


def choose(masked, u):
    return int(np.argmax(masked)) if u is None else sample(np.where(np.isinf(masked), 0.0, masked), u)
