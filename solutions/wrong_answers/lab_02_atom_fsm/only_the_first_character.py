"""A token is allowed if its first character is, whatever comes after it."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts):
    return np.array([bool(text) and text[0] in fsm.transitions[state] for text in texts], dtype=np.bool_)
