"""Where a token is not allowed another one is drawn in its place, which is masking."""

TODO = 13
HINT = 2


def rejection_sample(model, allowed, eos_id, draw, attempts):
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                continue
            ids.append(token)
        else:
            return ids
    return None
