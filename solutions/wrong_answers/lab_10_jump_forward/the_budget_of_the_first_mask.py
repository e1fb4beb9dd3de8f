"""Every mask is asked for with the budget of the first."""

TODO = 3
HINT = 2


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining)
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced
