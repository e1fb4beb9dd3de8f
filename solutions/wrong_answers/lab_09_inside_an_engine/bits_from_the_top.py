"""Bit 0 is taken for the highest bit of a word."""

TODO = 2
HINT = 1


def tokens_of(bitmask):
    return {32 * (i // 32) + 31 - i % 32 for i in np.flatnonzero(allowed(bitmask, 32 * len(bitmask))).tolist()}
