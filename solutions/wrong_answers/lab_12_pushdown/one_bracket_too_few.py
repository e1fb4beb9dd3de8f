"""Only as many brackets are read as there are states, so none may have been met twice."""

TODO = 1
HINT = 1


def fooled(dfa, opening, closing):
    state, met = dfa.initial, {dfa.initial: 0}
    for n in range(1, len(dfa)):
        state = DEAD if state == DEAD else dfa.step(state, ord(opening))
        if state in met:
            break
        met[state] = n
    m = met[state]
    return opening * n + closing * n, opening * m + closing * n
