"""Bits are counted in signed words, so tokens 30 and 31 of a word count as one, and both are written."""

TODO = 3
HINT = 3


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced
