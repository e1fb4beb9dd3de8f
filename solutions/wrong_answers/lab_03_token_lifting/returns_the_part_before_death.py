"""A token that dies halfway returns the states before its death instead of None."""

TODO = 1
HINT = 2


def partial_match(fsm, state, token):
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            break
        states.append(target)
    return tuple(states)
