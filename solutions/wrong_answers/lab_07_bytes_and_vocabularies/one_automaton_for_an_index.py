"""The automaton is kept with the index, and the second pattern gets that of the first."""

TODO = 13
HINT = 2


def compile_token_fsm(pattern, index):
    if not hasattr(index, "automaton"):
        index.automaton = TokenFSM(compile_dfa(pattern), index)
    return index.automaton
