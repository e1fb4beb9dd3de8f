"""A float64 array of zeros and minus infinities is added, so the result is float64 and minus zero becomes zero."""

TODO = 4
HINT = 2


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return logits + np.where(allowed, 0.0, -np.inf)
