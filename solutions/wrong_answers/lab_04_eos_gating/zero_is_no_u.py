"""`if u` takes the number 0.0 for no number, and the step becomes a greedy one."""

TODO = 4
HINT = 2


def choose(masked, u):
    return sample(softmax(masked), u) if u else int(np.argmax(masked))
