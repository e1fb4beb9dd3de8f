"""If all tokens are allowed, the caller's array is returned instead of a new one."""

TODO = 4
HINT = 3


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    if allowed.all():
        return logits
    masked = logits.copy()
    masked[~allowed] = -np.inf
    return masked
