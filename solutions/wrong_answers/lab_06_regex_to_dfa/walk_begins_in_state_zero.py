"""The walk begins in state 0, whichever state is the initial one."""

TODO = 13
HINT = 1


def fullmatch(dfa, text):
    state = 0
    for char in text:
        state = dfa.step(state, ord(char))
        if state == DEAD:
            return False
    return bool(dfa.accepting[state])
