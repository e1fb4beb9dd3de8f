"""Calls methods that lists have and tuples lack."""

TODO = 12
HINT = 2


def any_of(automata: Sequence[Dfa]) -> Dfa:
    automata = automata.copy()
    automata.sort(key=len)
    if not automata:
        return compile_dfa(NOTHING)
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a or b)), automata)
