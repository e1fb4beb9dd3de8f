"""The allowed ids are collected in a set, so the state after each of them is lost."""

TODO = 2
HINT = 2


def allowed_tokens(fsm, state, texts):
    return {i for i, text in enumerate(texts) if text and partial_match(fsm, state, text)}
