"""The next state is tested for truth, so an automaton that comes back to state 0 is taken for dead."""

TODO = 7
HINT = 3


def advance(fsm, state, text):
    for char in text:
        state = fsm.transitions[state].get(char)
        if not state:
            return None
    return state
