"""A token without characters counts as dead, although it traverses the state that it starts from."""

TODO = 1
HINT = 3


def partial_match(fsm, state, token):
    if not token:
        return None
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)
