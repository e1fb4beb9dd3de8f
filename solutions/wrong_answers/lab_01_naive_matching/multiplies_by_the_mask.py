"""The logits are multiplied by the mask, so a forbidden token gets the logit 0, which is a high one."""

TODO = 4
HINT = 1


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return logits * allowed
