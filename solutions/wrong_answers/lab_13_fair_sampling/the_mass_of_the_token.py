"""The probability of the chosen token is returned, and not that of all allowed ones."""

TODO = 9
HINT = 1


def masked_step(model, allowed, ids, draw):
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    token = sample(np.exp(scores - mass), draw())
    return (token, float(scores[token]))
