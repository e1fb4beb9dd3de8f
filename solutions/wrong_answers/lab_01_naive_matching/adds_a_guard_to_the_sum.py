"""A small number is added to the sum to avoid a division by zero, so the probabilities no longer add up to 1."""

TODO = 5
HINT = 2


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return weights / (weights.sum() + 1e-9)
