"""The state after the token is tested for truth, and state 0 is false."""

TODO = 2
HINT = 3


def allowed_tokens(fsm, state, texts):
    row = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text else None
        if states and states[-1]:
            row[token_id] = states[-1]
    return row
