"""Where only one token is allowed, it is emitted without calling the model."""

TODO = 3
HINT = 2


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        forced = allowed.sum() == 1
        ids.append(int(allowed.argmax()) if forced else sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
