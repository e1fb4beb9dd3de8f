"""Without automata no text matches."""

TODO = 13
HINT = 1


def all_of(automata):
    if not automata:
        return compile_dfa(NOTHING)
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a and b)), sorted(automata, key=len))
