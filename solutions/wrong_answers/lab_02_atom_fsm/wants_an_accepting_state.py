"""A token is allowed only if it completes a match, so nothing unfinished is ever written."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts):
    return np.array([bool(text) and advance(fsm, state, text) in fsm.accepting for text in texts], dtype=np.bool_)
