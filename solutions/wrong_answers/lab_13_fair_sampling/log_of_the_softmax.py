"""The softmax is computed first, and a probability that underflows to 0 has the logarithm minus infinity."""

TODO = 1
HINT = 2


def log_softmax(logits, temperature=1.0):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    odds = np.exp(scores - scores.max())
    with np.errstate(divide="ignore"):
        return np.log(odds / odds.sum())
