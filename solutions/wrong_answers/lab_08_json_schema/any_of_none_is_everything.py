"""Without automata every text matches."""

TODO = 12
HINT = 2


def any_of(automata):
    if not automata:
        return compile_dfa("(?s:.)*")
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a or b)), sorted(automata, key=len))
