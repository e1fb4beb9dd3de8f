"""The model is called before the mask is checked, so it is called once more than tokens are emitted."""

TODO = 3
HINT = 2


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        logits = model(ids)
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(logits, allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
