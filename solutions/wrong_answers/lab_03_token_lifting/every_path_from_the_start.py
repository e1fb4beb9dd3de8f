"""Every path starts in the automaton's initial state, whatever state is given."""

TODO = 1
HINT = 1


def partial_match(fsm, state, token):
    states = [fsm.initial]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)
