"""Each token that is tried moves the state, so the next one is walked from where it ended."""

TODO = 2
HINT = 2


def token_mask(fsm, state, texts):
    allowed = []
    for text in texts:
        after = advance(fsm, state, text) if text else None
        allowed.append(after is not None)
        state = state if after is None else after
    return np.array(allowed, dtype=np.bool_)
