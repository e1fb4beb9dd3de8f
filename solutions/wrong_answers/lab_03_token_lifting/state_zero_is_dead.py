"""A transition to state 0 counts as missing, because 0 is false."""

TODO = 1
HINT = 2


def partial_match(fsm, state, token):
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if not target:
            return None
        states.append(target)
    return tuple(states)
