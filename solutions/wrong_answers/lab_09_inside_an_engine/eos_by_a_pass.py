"""An answer ends only once EOS was written, which costs a pass that can have one result."""

TODO = 3
HINT = 1


def is_finished(state, remaining=None):
    return not state.allowed_tokens(remaining)
