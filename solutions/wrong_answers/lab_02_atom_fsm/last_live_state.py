"""The walk stops at the dead character and returns the last live state."""

TODO = 1
HINT = 2


def advance(fsm, state, text):
    for char in text:
        if char not in fsm.transitions[state]:
            return state
        state = fsm.transitions[state][char]
    return state
