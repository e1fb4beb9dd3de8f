"""A mask that allows nothing is refused, although the result is well defined and `softmax` refuses it."""

TODO = 4
HINT = 3


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    if not allowed.any():
        raise ValueError("no token is allowed")
    masked = logits.copy()
    masked[~allowed] = -np.inf
    return masked
