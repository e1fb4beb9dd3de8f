"""Only the first two automata are joined."""

TODO = 12
HINT = 1


def any_of(automata):
    if len(automata) < 2:
        return automata[0] if automata else compile_dfa(NOTHING)
    return minimize_dfa(product(automata[0], automata[1], lambda a, b: a or b))
