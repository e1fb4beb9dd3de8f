"""A bitmask is known by its first word, so that two which begin alike share a list."""

TODO = 8
HINT = 2


def listed_ids(guide, bitmask, vocab_size):
    key = int(bitmask[0])
    if key not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[key] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[key][1:]
