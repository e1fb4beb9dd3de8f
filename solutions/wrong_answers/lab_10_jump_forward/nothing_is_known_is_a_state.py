"""None is handed to the guide as if it were a state."""

TODO = 6
HINT = 2


def certain_tokens(guide, before, tail, tokens):
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)
