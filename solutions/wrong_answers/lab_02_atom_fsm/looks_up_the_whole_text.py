"""The text is looked up as if it were one character, so nothing longer is ever alive."""

TODO = 1
HINT = 1


def advance(fsm, state, text):
    return fsm.transitions[state].get(text) if text else state
