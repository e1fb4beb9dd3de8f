"""The longer one of the two lists is returned."""

TODO = 8
HINT = 3


def listed_ids(guide, bitmask, vocab_size):
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) > vocab_size)
        guide.listed[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
