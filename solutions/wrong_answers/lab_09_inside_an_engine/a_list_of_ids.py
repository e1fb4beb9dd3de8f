"""The ids come as a list."""

TODO = 2
HINT = 3


def tokens_of(bitmask):
    return np.flatnonzero(allowed(bitmask, 32 * len(bitmask))).tolist()
