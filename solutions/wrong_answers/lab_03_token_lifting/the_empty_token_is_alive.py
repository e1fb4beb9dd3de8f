"""Only None is left out, so the empty text, which always survives, is allowed everywhere."""

TODO = 2
HINT = 3


def allowed_tokens(fsm, state, texts):
    found = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text is not None else None
        if states:
            found[token_id] = states[-1]
    return found
