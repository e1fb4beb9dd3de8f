"""The exponential is taken of the weights as they are, and small ones are all 0."""

TODO = 14
HINT = 2


def resample(log_weights, u):
    cumulative = np.cumsum(np.exp(np.asarray(log_weights)))
    points = (np.arange(len(cumulative)) + u) / len(cumulative)
    with np.errstate(invalid="ignore", divide="ignore"):
        cumulative = cumulative / cumulative[-1]
    picked = np.searchsorted(cumulative, points, side="right").tolist()
    return picked
