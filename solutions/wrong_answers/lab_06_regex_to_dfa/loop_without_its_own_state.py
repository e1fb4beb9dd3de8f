"""The loop passes through the state where the repetition begins, so that (a*b*) matches ba."""

TODO = 5
HINT = 2


def add_repetition(nfa, repeat, start):
    for _ in range(repeat.least):
        start = add_fragment(nfa, repeat.body, start)
    if repeat.most is None:
        nfa.epsilon[add_fragment(nfa, repeat.body, start)].append(start)
        return start
    end = nfa.add_state()
    nfa.epsilon[start].append(end)
    for _ in range(repeat.most - repeat.least):
        start = add_fragment(nfa, repeat.body, start)
        nfa.epsilon[start].append(end)
    return end
