"""The computation stays in the dtype of the logits."""

TODO = 5
HINT = 3


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()
