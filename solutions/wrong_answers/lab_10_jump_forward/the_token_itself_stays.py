"""The token at the place where a longer one is legal is kept too."""

TODO = 6
HINT = 3


def certain_tokens(guide, before, tail, tokens):
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) > left:
            return place + 1
        left -= len(token)
    return len(tail)
