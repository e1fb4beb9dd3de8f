"""A character without a transition is skipped, and the walk continues after it."""

TODO = 1
HINT = 2


def advance(fsm, state, text):
    for char in text:
        state = fsm.transitions[state].get(char, state)
    return state
