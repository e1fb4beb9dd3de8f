"""What is listed is kept beside the guides, for all of them."""

TODO = 8
HINT = 2
_kept = {}


def listed_ids(guide, bitmask, vocab_size):
    if id(bitmask) not in _kept:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        _kept[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return _kept[id(bitmask)][1:]
