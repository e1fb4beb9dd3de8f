"""Only at the last token is a longer one looked for."""

TODO = 6
HINT = 2


def certain_tokens(guide, before, tail, tokens):
    if tail and before[-1] is not None and tokens.longest_of(guide.mask(before[-1])) > len(tail[-1]):
        return len(tail) - 1
    return len(tail)
