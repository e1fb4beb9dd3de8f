"""A token without a transition leaves the state as it is, so EOS is accepted everywhere."""

TODO = 12
HINT = 1


def next_state(lifted, state, token_id):
    if not 0 <= token_id < len(lifted.groups):
        raise TokenNotAllowed(token_id, f"state {state}")
    target = lifted.target(state, token_id)
    return state if target == DEAD else target
