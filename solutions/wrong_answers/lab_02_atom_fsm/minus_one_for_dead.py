"""A dead walk returns -1 instead of None, and as an index -1 means the last state."""

TODO = 1
HINT = 3


def advance(fsm, state, text):
    for char in text:
        if char not in fsm.transitions[state]:
            return -1
        state = fsm.transitions[state][char]
    return state
