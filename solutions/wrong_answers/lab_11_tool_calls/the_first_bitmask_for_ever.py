"""One guide has one bitmask, and its ids are kept for all."""

TODO = 8
HINT = 1


def listed_ids(guide, bitmask, vocab_size):
    if 0 not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[0] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[0][1:]
