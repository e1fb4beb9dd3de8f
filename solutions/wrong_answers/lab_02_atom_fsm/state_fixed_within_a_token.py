"""Every character of the token is looked up in the current state, as if the state did not change within a token."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts):
    row = fsm.transitions[state]
    return np.array([bool(text) and all(char in row for char in text) for text in texts], dtype=np.bool_)
