"""A token may not cross from one atom into a later one: it must stay, or move on by a single state."""

TODO = 8
HINT = 1


def token_mask(fsm, state, texts):
    return np.array([bool(text) and advance(fsm, state, text) in (state, state + 1) for text in texts], dtype=np.bool_)
