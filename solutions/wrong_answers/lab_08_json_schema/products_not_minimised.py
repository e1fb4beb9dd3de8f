"""The products are not minimised, so dead and equal states stay."""

TODO = 13
HINT = 2


def all_of(automata):
    if not automata:
        return compile_dfa("(?s:.)*")
    return reduce(lambda one, other: product(one, other, lambda a, b: a and b), sorted(automata, key=len))
