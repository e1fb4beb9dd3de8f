"""An id must be Python's int: one that comes from an array is refused as unknown."""

TODO = 11
HINT = 2


def next_state(automaton, token_bytes, state, token_id):
    token = token_bytes[token_id] if isinstance(token_id, int) and 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after
