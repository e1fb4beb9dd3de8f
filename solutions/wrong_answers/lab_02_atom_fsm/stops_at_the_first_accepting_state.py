"""Generation ends as soon as the automaton accepts, although more may follow."""

TODO = 3
HINT = 2


def generate(model, fsm, texts, us):
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any() or state in fsm.accepting:
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids
