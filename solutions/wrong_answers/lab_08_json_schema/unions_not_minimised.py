"""The products are not minimised, so equal states stay apart."""

TODO = 12
HINT = 2


def any_of(automata):
    if not automata:
        return compile_dfa(NOTHING)
    return reduce(lambda one, other: product(one, other, lambda a, b: a or b), sorted(automata, key=len))
