"""Where every token is allowed, the caller's own array is returned."""

TODO = 3
HINT = 2


def mask_logits(logits, row):
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits if row.all() else np.where(row, logits, logits.dtype.type(-np.inf))
