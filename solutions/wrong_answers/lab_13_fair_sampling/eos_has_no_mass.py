"""The mass of the step that wrote EOS is left out."""

TODO = 10
HINT = 2


def masked_sample(model, allowed, eos_id, draw):
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        if token is None:
            weight = -np.inf
            break
        weight += mass if token != eos_id else 0.0
        ids.append(token)
    return (ids, weight)
