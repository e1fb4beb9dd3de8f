"""The last attempt is returned though it was not legal."""

TODO = 13
HINT = 3


def rejection_sample(model, allowed, eos_id, draw, attempts):
    ids = None
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                break
            ids.append(token)
        else:
            return ids
    return ids
