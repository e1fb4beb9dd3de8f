"""An id below 0 is let through, and Python takes -1 for the last token."""

TODO = 11
HINT = 2


def next_state(automaton, token_bytes, state, token_id):
    token = token_bytes[token_id] if -len(token_bytes) <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after
