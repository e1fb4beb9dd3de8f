"""A text that two automata match is left out, as if oneOf were meant."""

TODO = 12
HINT = 1


def any_of(automata):
    if not automata:
        return compile_dfa(NOTHING)
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a != b)), sorted(automata, key=len))
