"""The probabilities are rounded to twelve digits, so an allowed token may become impossible."""

TODO = 5
HINT = 3


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return np.round(weights / weights.sum(), 12)
