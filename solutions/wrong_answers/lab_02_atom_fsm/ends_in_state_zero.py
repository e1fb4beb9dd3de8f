"""The state is tested for truth, so generation ends where it comes back to state 0."""

TODO = 3
HINT = 3


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any() or (ids and not state):
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
