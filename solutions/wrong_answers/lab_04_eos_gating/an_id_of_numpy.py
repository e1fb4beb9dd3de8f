"""The result of argmax is a NumPy integer, which neither JSON nor a type check takes for an int."""

TODO = 4
HINT = 2


def choose(masked, u):
    return np.argmax(masked) if u is None else sample(softmax(masked), u)
