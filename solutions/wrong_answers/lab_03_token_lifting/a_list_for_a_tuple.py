"""The states are returned as the list in which they were collected."""

TODO = 1
HINT = 3


def partial_match(fsm, state, token):
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return states
