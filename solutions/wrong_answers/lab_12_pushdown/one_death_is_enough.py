"""The texts are given at the first death, one bracket apart."""

TODO = 1
HINT = 2


def fooled(dfa, opening, closing):
    state, met = dfa.initial, {dfa.initial: 0}
    n = 0
    while True:
        n += 1
        state = dfa.step(state, ord(opening))
        if state == DEAD:
            return opening * n + closing * n, opening * (n - 1) + closing * n
        if state in met:
            break
        met[state] = n
    m = met[state]
    return opening * n + closing * n, opening * m + closing * n
