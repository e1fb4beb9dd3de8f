"""Only the ids are kept, and a new bitmask in the old one's place gets them."""

TODO = 8
HINT = 2


def listed_ids(guide, bitmask, vocab_size):
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[id(bitmask)] = None, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
