"""The smallest finite number of the dtype replaces minus infinity, so a forbidden token is not impossible."""

TODO = 4
HINT = 1


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits, np.finfo(logits.dtype).min)
