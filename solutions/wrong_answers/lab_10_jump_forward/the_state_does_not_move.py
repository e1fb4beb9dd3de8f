"""The mask of the first state is asked for again and again."""

TODO = 3
HINT = 3


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
    return forced
