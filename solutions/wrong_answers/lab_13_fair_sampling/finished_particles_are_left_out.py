"""Only particles that still run are resampled, and share the weight among themselves alone."""

TODO = 15
HINT = 2


def smc_sample(model, allowed, eos_id, n, draw, threshold=0.5):
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            picked = resample(weights[running], draw()) if np.isfinite(weights[running]).any() else []
            old = {i: [*texts[running[k]]] for i, k in zip(running, picked, strict=False)}
            texts = [old.get(i, texts[i]) for i in range(n)]
            weights[running] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]
