"""The answer is True as soon as some prefix of the text has reached an accepting state."""

TODO = 13
HINT = 1


def fullmatch(dfa, text):
    state = dfa.initial
    for char in text:
        if dfa.accepting[state]:
            return True
        state = dfa.step(state, ord(char))
        if state == DEAD:
            return False
    return bool(dfa.accepting[state])
