"""Where the guide accepts and nothing else may follow, EOS is appended like a forced token."""

TODO = 3
HINT = 2


def single_tokens(guide, state, remaining):
    forced = []
    while len(forced) < remaining:
        bitmask = guide.mask(state, remaining - len(forced))
        if np.bitwise_count(bitmask).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced
