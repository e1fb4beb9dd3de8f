"""The temperature divides the log-probabilities, which then no longer sum to 1."""

TODO = 1
HINT = 3


def log_softmax(logits, temperature=1.0):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    return (scores * temperature - float(np.logaddexp.reduce(scores * temperature))) / temperature
