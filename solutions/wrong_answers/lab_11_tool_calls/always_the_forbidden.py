"""The forbidden ids are listed, however many they are."""

TODO = 8
HINT = 1


def listed_ids(guide, bitmask, vocab_size):
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = False
        guide.listed[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
