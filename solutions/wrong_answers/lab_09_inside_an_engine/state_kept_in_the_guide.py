"""The state of a request is written into the guide, which all requests share."""

TODO = 1
HINT = 1


def advance_state(state, token_id):
    state.guide.initial = state.current = state.guide.advance(state.current, token_id)
