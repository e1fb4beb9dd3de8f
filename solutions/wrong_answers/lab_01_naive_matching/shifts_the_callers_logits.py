"""The largest logit is subtracted in place, which changes the caller's array."""

TODO = 5
HINT = 3


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    logits -= logits.max()
    weights = np.exp(logits.astype(np.float64))
    return weights / weights.sum()
