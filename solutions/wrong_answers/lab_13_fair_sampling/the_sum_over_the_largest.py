"""The sum is divided by the largest weight."""

TODO = 11
HINT = 3


def effective_sample_size(log_weights):
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum())
