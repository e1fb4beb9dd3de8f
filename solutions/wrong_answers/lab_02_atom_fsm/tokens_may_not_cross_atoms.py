"""A token may not cross several atoms: it must stay in its state or move on by one."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts):
    return np.array([bool(text) and advance(fsm, state, text) in (state, state + 1) for text in texts], dtype=np.bool_)
