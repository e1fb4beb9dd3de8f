"""The most probable token is taken, but logits that differ a little may have equal probabilities."""

TODO = 4
HINT = 1


def choose(masked, u):
    return int(np.argmax(softmax(masked))) if u is None else sample(softmax(masked), u)
