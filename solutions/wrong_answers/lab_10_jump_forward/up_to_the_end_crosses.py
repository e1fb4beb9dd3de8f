"""A legal token that ends exactly where the tail ends is taken for one that crosses."""

TODO = 6
HINT = 2


def certain_tokens(guide, before, tail, tokens):
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) >= left:
            return place
        left -= len(token)
    return len(tail)
