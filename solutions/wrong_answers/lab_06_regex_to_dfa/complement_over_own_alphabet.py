"""The complement is taken within the texts over the automaton's own characters, so all other texts are lost."""

TODO = 15
HINT = 1


def complement(dfa):
    states = [*dfa.transitions.tolist(), [DEAD] * dfa.n_classes]
    rows = [[len(dfa) if target == DEAD else target for target in row] for row in states]
    accepting = [*(not accepts for accepts in dfa.accepting), True]
    return minimize_dfa(Dfa(dfa.bounds, dfa.classes, rows, dfa.initial, accepting, dfa.symbols))
