"""Only the states after each character are returned, without the one that the token starts from."""

TODO = 1
HINT = 2


def partial_match(fsm, state, token):
    states = []
    for char in token:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
        states.append(state)
    return tuple(states)
