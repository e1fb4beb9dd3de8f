"""The repetition may end after the least and after the most copies only: a{2,4} refuses aaa."""

TODO = 5
HINT = 2


def add_repetition(nfa, repeat, start):
    for _ in range(repeat.least):
        start = add_fragment(nfa, repeat.body, start)
    end = nfa.add_state()
    nfa.epsilon[start].append(end)
    if repeat.most is None:
        nfa.epsilon[add_fragment(nfa, repeat.body, end)].append(end)
        return end
    for _ in range(repeat.most - repeat.least):
        start = add_fragment(nfa, repeat.body, start)
    nfa.epsilon[start].append(end)
    return end
