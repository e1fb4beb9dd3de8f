"""A compiled pattern is kept by its text alone, and given for any vocabulary."""

TODO = 13
HINT = 1


def compile_token_fsm(pattern, index, known={}):
    if pattern not in known:
        known[pattern] = TokenFSM(compile_dfa(pattern), index)
    return known[pattern]
