"""What may follow is asked without the budget, so a pass is spent where only EOS is left."""

TODO = 3
HINT = 3


def is_finished(state, remaining=None):
    return state.is_terminal() and len(state.allowed_tokens()) <= 1
