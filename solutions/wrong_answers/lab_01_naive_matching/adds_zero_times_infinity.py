"""The mask is multiplied by minus infinity and added, and zero times infinity is NaN."""

TODO = 4
HINT = 2


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return (logits + ~allowed * -np.inf).astype(logits.dtype)
