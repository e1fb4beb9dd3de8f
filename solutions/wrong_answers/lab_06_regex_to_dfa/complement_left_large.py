"""The product is the complement, and nobody makes it minimal."""

TODO = 15
HINT = 1


def complement(dfa):
    everything = Dfa([0], [0], [[0]], initial=0, accepting=[True], symbols=dfa.symbols)
    return product(everything, dfa, lambda one, other: one and not other)
