"""A refused token brings the state back to the start of the guide."""

TODO = 1
HINT = 2


def advance_state(state, token_id):
    state.current, before = state.guide.initial, state.current
    state.current = state.guide.advance(before, token_id)
