"""A dead end has the mass 1."""

TODO = 9
HINT = 2


def masked_step(model, allowed, ids, draw):
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, 0.0)
    return (sample(np.exp(scores - mass), draw()), mass)
