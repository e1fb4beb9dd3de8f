"""Only the accepting flags are flipped, so a text on which the automaton dies is in neither language."""

TODO = 15
HINT = 2


def complement(dfa):
    return minimize_dfa(Dfa(dfa.bounds, dfa.classes, dfa.transitions, dfa.initial, ~dfa.accepting, symbols=dfa.symbols))
