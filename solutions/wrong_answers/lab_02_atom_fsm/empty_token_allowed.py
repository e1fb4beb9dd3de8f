"""The empty token is allowed, because the automaton survives the empty text; so the model can emit it for ever."""

TODO = 2
HINT = 2


def token_mask(fsm, state, texts):
    return np.array([text is not None and advance(fsm, state, text) is not None for text in texts], dtype=np.bool_)
