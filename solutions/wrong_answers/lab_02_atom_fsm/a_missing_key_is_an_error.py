"""A missing transition is looked up with brackets, so a dead token raises a KeyError."""

TODO = 1
HINT = 3


def advance(fsm, state, text):
    for char in text:
        state = fsm.transitions[state][char]
    return state
