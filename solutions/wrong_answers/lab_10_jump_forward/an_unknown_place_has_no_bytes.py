"""A token whose place is not known is skipped, and its bytes still count as left."""

TODO = 6
HINT = 3


def certain_tokens(guide, before, tail, tokens):
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is None:
            continue
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)
