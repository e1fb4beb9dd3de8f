"""The result is float64, whatever the dtype of the logits."""

TODO = 4
HINT = 2


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits.astype(np.float64), -np.inf)
