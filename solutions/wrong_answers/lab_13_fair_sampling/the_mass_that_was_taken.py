"""The mass is what the mask took away."""

TODO = 9
HINT = 1


def masked_step(model, allowed, ids, draw):
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), math.log1p(-math.exp(min(mass, -1e-12))))
