"""The pattern is compiled with ASCII's digits and letters, so \\w no longer matches é."""

TODO = 13
HINT = 1


def compile_token_fsm(pattern, index):
    return TokenFSM(compile_dfa(pattern, ascii_only=True), index)
