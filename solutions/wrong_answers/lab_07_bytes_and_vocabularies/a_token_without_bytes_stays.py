"""A token that isn't text has nothing to read, so it's allowed and leads to where it was."""

TODO = 11
HINT = 1


def next_state(automaton, token_bytes, state, token_id):
    if not 0 <= token_id < len(token_bytes):
        raise TokenNotAllowed(token_id, f"state {state}")
    after = state
    for byte in token_bytes[token_id] or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after
