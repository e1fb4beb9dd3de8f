"""The exponentials of the logits are summed as they are, so large logits overflow."""

TODO = 1
HINT = 1


def log_softmax(logits, temperature=1.0):
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return scores - np.log(np.exp(scores).sum())
