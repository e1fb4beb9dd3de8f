"""The sum is computed in the type of the logits, and widened afterwards."""

TODO = 1
HINT = 3


def log_softmax(logits, temperature=1.0):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = (logits / np.asarray(temperature, logits.dtype)).astype(logits.dtype)
    return (scores - np.logaddexp.reduce(scores)).astype(np.float64)
