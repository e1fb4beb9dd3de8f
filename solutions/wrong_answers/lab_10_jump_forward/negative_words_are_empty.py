"""A word counts only if it is above 0, and one that allows token 31 is below."""

TODO = 3
HINT = 3


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask[bitmask > 0]).sum() != 1:
            break
        forced += tokens_of(np.maximum(bitmask, 0))
        state = guide.advance(state, forced[-1])
    return forced
