"""The heaviest index is taken n times."""

TODO = 14
HINT = 1


def resample(log_weights, u):
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    picked = [int(np.argmax(log_weights))] * len(cumulative)
    return picked
