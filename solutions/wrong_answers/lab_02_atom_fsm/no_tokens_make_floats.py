"""The dtype is left to NumPy, which makes float64 of an empty list."""

TODO = 2
HINT = 3


def token_mask(fsm, state, texts):
    return np.array([bool(text) and advance(fsm, state, text) is not None for text in texts])
