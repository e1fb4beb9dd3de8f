"""The mask is asked about the empty text."""

TODO = 9
HINT = 3


def masked_step(model, allowed, ids, draw):
    scores = np.where(allowed([]), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), mass)
