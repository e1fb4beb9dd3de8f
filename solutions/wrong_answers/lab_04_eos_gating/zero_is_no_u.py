"""`if u` treats 0.0 as no number, so the step becomes greedy."""

TODO = 4
HINT = 2


def choose(masked, u):
    return sample(softmax(masked), u) if u else int(np.argmax(masked))
