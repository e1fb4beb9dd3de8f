"""The mean weight is the exponential of the mean logarithm."""

TODO = 12
HINT = 2


def estimated_distances(log_weights):
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.mean(np.asarray(log_weights)[np.isfinite(log_weights)])
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))
