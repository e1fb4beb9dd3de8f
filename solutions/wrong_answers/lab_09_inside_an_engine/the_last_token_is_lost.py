"""The last bit of the last word is taken for padding."""

TODO = 2
HINT = 2


def tokens_of(bitmask):
    return set(np.flatnonzero(allowed(bitmask, max(32 * len(bitmask) - 1, 0))).tolist())
