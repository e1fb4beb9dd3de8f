"""The dead state is returned like any other, and the caller is left to notice."""

TODO = 11
HINT = 1


def next_state(automaton, token_bytes, state, token_id):
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    return after
