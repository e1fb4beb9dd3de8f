"""Every character of the token must be possible in the present state, as if the state did not change on the way."""

TODO = 8
HINT = 1


def token_mask(fsm, state, texts):
    row = fsm.transitions[state]
    return np.array([bool(text) and all(char in row for char in text) for text in texts], dtype=np.bool_)
