"""Each token is entered with the state that it starts from, so generation never moves."""

TODO = 2
HINT = 2


def allowed_tokens(fsm, state, texts):
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(texts) if text}
    return {i: states[0] for i, states in matches.items() if states}
