"""A step to state 0 is taken for a dead one, because 0 is false or small."""

TODO = 11
HINT = 1


def next_state(automaton, token_bytes, state, token_id):
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after <= 0:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after
