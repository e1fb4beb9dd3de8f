"""The second text is given fewer closing brackets too, and is balanced."""

TODO = 1
HINT = 2


def fooled(dfa, opening, closing):
    state, met = dfa.initial, {dfa.initial: 0}
    for n in range(1, len(dfa) + 2):
        state = DEAD if state == DEAD else dfa.step(state, ord(opening))
        if state in met:
            break
        met[state] = n
    m = met[state]
    return opening * n + closing * n, opening * m + closing * m
