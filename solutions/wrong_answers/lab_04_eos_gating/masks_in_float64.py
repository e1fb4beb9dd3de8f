"""The result has Python's floats, whatever dtype the logits had."""

TODO = 3
HINT = 2


def mask_logits(logits, row):
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return np.array([logit if allowed else -np.inf for logit, allowed in zip(logits.tolist(), row, strict=True)])
