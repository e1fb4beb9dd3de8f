"""The exponentials are taken in float32 without subtracting the maximum, so they overflow beyond 88 and give NaN."""

TODO = 5
HINT = 1


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits)
        return weights / weights.sum()
