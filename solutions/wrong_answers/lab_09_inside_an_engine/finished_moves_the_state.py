"""To see whether EOS may come it is written into the state, which then has ended."""

TODO = 3
HINT = 3


def is_finished(state, remaining=None):
    ids = state.allowed_tokens(remaining)
    if not state.is_terminal() or len(ids) > 1:
        return False
    for token_id in ids:
        state.advance(token_id)
    return True
