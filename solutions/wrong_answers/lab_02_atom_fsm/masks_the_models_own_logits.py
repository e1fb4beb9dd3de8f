"""Minus infinity is written into the model's own array, which may be the same one at each step."""

TODO = 3
HINT = 3


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        logits = model(ids)
        logits[~allowed] = -np.inf
        ids.append(sample(softmax(logits), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
