"""Every character is looked up in the state that the token starts from, not in the state reached."""

TODO = 1
HINT = 3


def partial_match(fsm, state, token):
    states = [state]
    for char in token:
        target = fsm.transitions[state].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)
