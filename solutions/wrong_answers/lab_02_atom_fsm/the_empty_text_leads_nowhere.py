"""The empty text gives None, although it leads back to the state."""

TODO = 1
HINT = 3


def advance(fsm, state, text):
    after = None
    for char in text:
        after = fsm.transitions[state].get(char)
        if after is None:
            return None
        state = after
    return after
