"""A logit of -1e9 replaces minus infinity: the probability is only small, and float16 cannot hold the logit."""

TODO = 4
HINT = 1


def apply_mask(logits, allowed):
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    masked = logits.copy()
    masked[~allowed] = -1e9
    return masked
