"""Minus infinity is written into the caller's own array, which the model may still need."""

TODO = 4
HINT = 2


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    logits[~allowed] = -np.inf
    return logits
