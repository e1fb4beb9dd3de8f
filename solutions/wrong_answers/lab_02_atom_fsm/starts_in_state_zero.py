"""Generation starts in state 0, although the initial state may be another."""

TODO = 3
HINT = 3


def generate(model, fsm, texts, us):
    ids, state = [], 0
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
