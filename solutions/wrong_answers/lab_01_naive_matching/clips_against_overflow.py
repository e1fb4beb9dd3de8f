"""The logits are clipped to a range that does not overflow, which turns minus infinity into a finite number."""

TODO = 5
HINT = 1


def softmax(logits):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(np.clip(logits.astype(np.float64), -80, 80))
    return weights / weights.sum()
