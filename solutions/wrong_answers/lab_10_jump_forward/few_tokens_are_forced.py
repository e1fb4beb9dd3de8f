"""Two legal tokens count as forced, and the lower id is taken."""

TODO = 3
HINT = 1


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() > 2 or not bitmask.any():
            break
        forced.append(min(tokens_of(bitmask)))
        state = guide.advance(state, forced[-1])
    return forced
