"""A point on a border takes the piece before it, even one of width 0."""

TODO = 14
HINT = 2


def resample(log_weights, u):
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = (np.arange(len(cumulative)) + u) / len(cumulative)
    picked = np.searchsorted(cumulative / cumulative[-1], points, side="left").tolist()
    return picked
