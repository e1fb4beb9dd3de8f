"""One attempt more than allowed is begun."""

TODO = 13
HINT = 2


def rejection_sample(model, allowed, eos_id, draw, attempts):
    for _ in range(attempts + 1):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                break
            ids.append(token)
        else:
            return ids
    return None
