"""An id must be Python's int: one that comes from an array is refused as unknown."""

TODO = 12
HINT = 1


def next_state(lifted, state, token_id):
    known = isinstance(token_id, int) and 0 <= token_id < len(lifted.groups)
    target = lifted.target(state, token_id) if known else DEAD
    if target == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return target
