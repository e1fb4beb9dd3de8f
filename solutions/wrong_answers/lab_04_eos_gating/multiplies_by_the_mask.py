"""Logits are multiplied by the mask, so a token that is not allowed has logit 0."""

TODO = 3
HINT = 3


def mask_logits(logits, row):
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits * row.astype(logits.dtype)
