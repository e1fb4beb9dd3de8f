"""A missing transition is looked up with brackets, and death becomes a KeyError."""

TODO = 7
HINT = 3


def advance(fsm, state, text):
    for char in text:
        state = fsm.transitions[state][char]
    return state
