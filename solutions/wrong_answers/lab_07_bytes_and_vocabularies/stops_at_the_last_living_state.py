"""Where a token dies halfway, the state before is returned."""

TODO = 11
HINT = 1


def next_state(automaton, token_bytes, state, token_id):
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    if not token or automaton.step(state, token[0]) == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    for byte in token:
        after = automaton.step(state, byte)
        if after == DEAD:
            break
        state = after
    return state
