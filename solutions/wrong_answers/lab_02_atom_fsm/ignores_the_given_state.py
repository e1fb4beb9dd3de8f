"""The walk starts in the initial state, not in the given one."""

TODO = 1
HINT = 1


def advance(fsm, state, text):
    state = fsm.initial
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state
