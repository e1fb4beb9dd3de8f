"""The pattern is turned into bytes before it is compiled, although the compiler reads characters."""

TODO = 13
HINT = 1


def compile_token_fsm(pattern, index):
    return TokenFSM(compile_dfa(pattern.encode().decode("latin-1")), index)
