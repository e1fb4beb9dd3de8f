"""The whole tail is kept, also where a longer token is legal."""

TODO = 6
HINT = 1


def certain_tokens(guide, before, tail, tokens):
    return len(tail)
