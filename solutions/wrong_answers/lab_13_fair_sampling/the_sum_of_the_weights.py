"""The weights are divided by their sum and not by their mean."""

TODO = 12
HINT = 3


def estimated_distances(log_weights):
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights)
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))
