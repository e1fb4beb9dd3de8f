"""After EOS no token is allowed, and that is not counted as finished."""

TODO = 3
HINT = 2


def is_finished(state, remaining=None):
    return state.is_terminal() and len(state.allowed_tokens(remaining)) == 1
