"""The guide is asked for each token twice, as if streaming were a second reader."""

TODO = 1
HINT = 2


def advance_state(state, token_id):
    state.guide.advance(state.current, token_id)
    state.current = state.guide.advance(state.current, token_id)
