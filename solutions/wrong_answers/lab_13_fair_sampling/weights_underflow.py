"""The exponential is taken of the weights as they are."""

TODO = 11
HINT = 2


def effective_sample_size(log_weights):
    if not np.isfinite(log_weights).any():
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(np.asarray(log_weights))
        return float(weights.sum() ** 2 / max((weights**2).sum(), 1e-300))
