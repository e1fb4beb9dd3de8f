"""Only the first character of the text is walked."""

TODO = 1
HINT = 3


def advance(fsm, state, text):
    return fsm.transitions[state].get(text[0]) if text else state
