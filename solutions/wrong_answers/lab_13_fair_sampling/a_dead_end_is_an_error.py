"""A dead end raises an error."""

TODO = 9
HINT = 2


def masked_step(model, allowed, ids, draw):
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        raise NoLegalToken(0, str(ids))
    return (sample(np.exp(scores - mass), draw()), mass)
