"""The threshold is a share of the particles that still run."""

TODO = 15
HINT = 3


def smc_sample(model, allowed, eos_id, n, draw, threshold=0.5):
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * len(running):
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]
