"""Tokens without text are dropped before the ids are counted, so the ids after them are wrong."""

TODO = 2
HINT = 2


def allowed_tokens(fsm, state, texts):
    found = {}
    for token_id, text in enumerate(text for text in texts if text):
        states = partial_match(fsm, state, text)
        if states:
            found[token_id] = states[-1]
    return found
