"""Exponentials of the logits as they are: beyond 88 they overflow float32, and the sum makes NaN of them."""

TODO = 5
HINT = 1


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits)
        return weights / weights.sum()
