"""Every sample above 0 counts as one."""

TODO = 11
HINT = 1


def effective_sample_size(log_weights):
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float((weights > 0).sum())
