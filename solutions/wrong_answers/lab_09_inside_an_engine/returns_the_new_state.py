"""The new state is returned besides being stored."""

TODO = 1
HINT = 3


def advance_state(state, token_id):
    state.current = state.guide.advance(state.current, token_id)
    return state.current
