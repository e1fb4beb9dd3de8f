"""The numbers u are tested for truth, which an array of them does not have."""

TODO = 3
HINT = 3


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    while us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us[0]))
        us, state = us[1:], advance(fsm, state, texts[ids[-1]])
    return ids
