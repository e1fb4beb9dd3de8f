"""The result is float64, but the exponentials were taken in float32 and keep their error."""

TODO = 5
HINT = 3


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits - logits.max())
    return (weights / weights.sum()).astype(np.float64)
