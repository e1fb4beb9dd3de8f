"""The verdict is an entry of the array, NumPy's bool and not Python's."""

TODO = 13
HINT = 1


def fullmatch(dfa, text):
    state = dfa.initial
    for char in text:
        state = dfa.step(state, ord(char))
        if state == DEAD:
            return False
    return dfa.accepting[state]
