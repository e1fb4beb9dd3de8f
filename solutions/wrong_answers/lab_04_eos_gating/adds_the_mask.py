"""Zero or minus infinity is added to the logits, which turns -0.0 into 0.0."""

TODO = 3
HINT = 2


def mask_logits(logits, row):
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits + np.where(row, 0, -np.inf).astype(logits.dtype)
