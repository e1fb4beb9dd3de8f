"""All points stand at u."""

TODO = 14
HINT = 1


def resample(log_weights, u):
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = np.full(len(cumulative), u)
    picked = np.searchsorted(cumulative / cumulative[-1], points, side="right").tolist()
    return picked
