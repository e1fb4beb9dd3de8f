"""The allowed ids are collected in a set, and where each of them leads is lost."""

TODO = 2
HINT = 2


def allowed_tokens(fsm, state, texts):
    return {i for i, text in enumerate(texts) if text and partial_match(fsm, state, text)}
