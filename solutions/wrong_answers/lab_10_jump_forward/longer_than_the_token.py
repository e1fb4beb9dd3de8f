"""A longer token is compared with the token at its place and not with the rest of the tail."""

TODO = 6
HINT = 2


def certain_tokens(guide, before, tail, tokens):
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) > len(token):
            return place
        left -= len(token)
    return len(tail)
