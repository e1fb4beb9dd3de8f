"""The next state is tested for truth, so a walk that returns to state 0 counts as dead."""

TODO = 1
HINT = 3


def advance(fsm, state, text):
    for char in text:
        state = fsm.transitions[state].get(char)
        if not state:
            return None
    return state
