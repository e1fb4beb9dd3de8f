"""A token is allowed only if it completes a match, so no number can be started."""

TODO = 2
HINT = 1


def allowed_tokens(fsm, state, texts):
    found = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text else None
        if states and states[-1] in fsm.accepting:
            found[token_id] = states[-1]
    return found
