"""Without an upper bound the loop leads back to before the first copy: a{2,} matches even numbers of a only."""

TODO = 5
HINT = 3


def add_repetition(nfa, repeat, start):
    first = nfa.add_state()
    nfa.epsilon[start].append(first)
    start = first
    for _ in range(repeat.least or int(repeat.most is None)):
        start = add_fragment(nfa, repeat.body, start)
    end = nfa.add_state()
    nfa.epsilon[start].append(end)
    if repeat.most is None:
        nfa.epsilon[start].append(first)
        nfa.epsilon[first] += [end] * (repeat.least == 0)
        return end
    for _ in range(repeat.most - repeat.least):
        start = add_fragment(nfa, repeat.body, start)
        nfa.epsilon[start].append(end)
    return end
