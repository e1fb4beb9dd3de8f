"""Nothing is subtracted before the exponential, so large logits overflow and very small ones all become zero."""

TODO = 5
HINT = 1


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits.astype(np.float64))
        return weights / weights.sum()
