"""A transition to state 0 is taken for a dead one, because 0 is false or small."""

TODO = 12
HINT = 1


def next_state(lifted, state, token_id):
    known = 0 <= token_id < len(lifted.groups)
    target = lifted.target(state, token_id) if known else DEAD
    if target <= 0:
        raise TokenNotAllowed(token_id, f"state {state}")
    return target
