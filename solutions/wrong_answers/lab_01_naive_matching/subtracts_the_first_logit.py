"""The first logit is subtracted instead of the largest, and it may be minus infinity."""

TODO = 5
HINT = 2


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits[0])
    return weights / weights.sum()
