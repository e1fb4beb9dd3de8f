"""The text is judged only when it has ended, so hopeless texts are written to their end."""

TODO = 13
HINT = 1


def rejection_sample(model, allowed, eos_id, draw, attempts):
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            ids.append(token)
        if all(allowed(ids[:i])[token] for i, token in enumerate(ids)):
            return ids
    return None
