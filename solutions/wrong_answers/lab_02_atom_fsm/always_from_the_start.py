"""Each token is walked from the initial state, as if nothing had been written."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts):
    return np.array([bool(text) and advance(fsm, fsm.initial, text) is not None for text in texts], dtype=np.bool_)
