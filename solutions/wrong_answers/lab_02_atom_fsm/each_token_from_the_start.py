"""After each token the state is that of the token alone, walked from the initial state."""

TODO = 3
HINT = 2


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts) if state is not None else np.zeros(len(texts), np.bool_)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, fsm.initial, texts[ids[-1]])
    return ids
