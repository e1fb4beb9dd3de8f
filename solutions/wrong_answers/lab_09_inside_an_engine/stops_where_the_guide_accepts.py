"""An answer ends as soon as it is a match, even where more could follow."""

TODO = 3
HINT = 1


def is_finished(state, remaining=None):
    return state.is_terminal()
