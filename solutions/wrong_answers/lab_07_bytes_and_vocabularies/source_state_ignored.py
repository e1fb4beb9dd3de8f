"""The first transition of the token's function is taken, whichever state it starts from."""

TODO = 12
HINT = 1


def next_state(lifted, state, token_id):
    known = 0 <= token_id < len(lifted.groups)
    if not known or lifted.target(state, token_id) == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return int(lifted.transitions.targets[lifted.transitions.first[lifted.groups[token_id]]])
