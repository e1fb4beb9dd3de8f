"""A token of white space alone counts as a token without text."""

TODO = 2
HINT = 3


def allowed_tokens(fsm, state, texts):
    row = {}
    for token_id, text in enumerate(texts):
        if text and text.strip():
            states = partial_match(fsm, state, text)
            if states is not None:
                row[token_id] = states[-1]
    return row
