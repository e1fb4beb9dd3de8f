"""The weight is the mean of the masses, so that long texts are not at a disadvantage."""

TODO = 10
HINT = 2


def masked_sample(model, allowed, eos_id, draw):
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        weight += mass
        if token is None:
            break
        ids.append(token)
    return (ids, weight / max(1, len(ids)))
