"""The size is given as a share of the number of samples."""

TODO = 11
HINT = 1


def effective_sample_size(log_weights):
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum() ** 2 / (weights**2).sum() / len(weights))
