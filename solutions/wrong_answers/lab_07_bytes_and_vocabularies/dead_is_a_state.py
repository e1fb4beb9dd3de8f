"""The dead state is returned like any other, and the caller is left to notice."""

TODO = 12
HINT = 1


def next_state(lifted, state, token_id):
    return lifted.target(state, token_id) if 0 <= token_id < len(lifted.groups) else DEAD
