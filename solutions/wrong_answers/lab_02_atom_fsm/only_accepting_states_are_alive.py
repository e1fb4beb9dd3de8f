"""A walk that does not end in an accepting state counts as dead, so no number can be started."""

TODO = 1
HINT = 2


def advance(fsm, state, text):
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state if state in fsm.accepting else None
