"""A text in a dead end keeps the weight that it had."""

TODO = 10
HINT = 2


def masked_sample(model, allowed, eos_id, draw):
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        if token is None:
            break
        weight += mass
        ids.append(token)
    return (ids, weight)
