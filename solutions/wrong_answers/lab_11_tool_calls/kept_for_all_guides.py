"""What is listed is kept beside the guides, for all of them."""

TODO = 8
HINT = 2


def listed_ids(guide, bitmask, vocab_size, kept={}):
    if id(bitmask) not in kept:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        kept[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return kept[id(bitmask)][1:]
