"""The walk goes on from a dead state, and the index -1 finds the last row of the table."""

TODO = 13
HINT = 2


def fullmatch(dfa, text):
    state = dfa.initial
    for char in text:
        state = dfa.step(state, ord(char))
    return state != DEAD and bool(dfa.accepting[state])
