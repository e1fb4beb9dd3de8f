"""The tokens are drawn under the mask, so that none is rejected."""

TODO = 13
HINT = 1


def rejection_sample(model, allowed, eos_id, draw, attempts):
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = masked_step(model, allowed, ids, draw)[0]
            if token is None:
                break
            ids.append(token)
        else:
            return ids
    return None
