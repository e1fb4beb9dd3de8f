"""The state is tested for truth, and state 0 is false."""

TODO = 2
HINT = 2


def token_mask(fsm, state, texts):
    return np.array([bool(text) and bool(advance(fsm, state, text)) for text in texts], dtype=np.bool_)
