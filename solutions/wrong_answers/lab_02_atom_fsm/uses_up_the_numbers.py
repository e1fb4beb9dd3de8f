"""Each step removes its number u from the caller's list."""

TODO = 3
HINT = 3


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    while len(us):
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us.pop(0)))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
