"""A point stands for any character, but it does not match a new line."""

TODO = 13
HINT = 2


def all_of(automata):
    if not automata:
        return compile_dfa(".*")
    return reduce(lambda one, other: minimize_dfa(product(one, other, lambda a, b: a and b)), sorted(automata, key=len))
