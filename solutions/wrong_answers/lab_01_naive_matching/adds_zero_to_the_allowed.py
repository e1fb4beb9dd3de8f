"""Zero or minus infinity is added to each logit, so minus zero becomes zero and infinity minus infinity NaN."""

TODO = 4
HINT = 2


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    penalty = np.zeros_like(logits)
    penalty[~allowed] = -np.inf
    with np.errstate(invalid="ignore"):
        return logits + penalty
