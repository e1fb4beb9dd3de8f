"""Bits after the last token are listed as if they were tokens."""

TODO = 8
HINT = 2


def listed_ids(guide, bitmask, vocab_size):
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, 32 * len(bitmask))
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
