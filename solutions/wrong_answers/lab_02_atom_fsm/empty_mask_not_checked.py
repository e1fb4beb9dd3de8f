"""Nothing checks whether any token is allowed, so softmax gets only minus infinities."""

TODO = 3
HINT = 2


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
