"""An id below 0 is let through, and Python takes -1 for the last token."""

TODO = 12
HINT = 2


def next_state(lifted, state, token_id):
    target = lifted.target(state, token_id) if token_id < len(lifted.groups) else DEAD
    if target == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return target
