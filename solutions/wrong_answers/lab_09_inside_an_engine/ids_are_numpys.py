"""The ids stay NumPy's integers."""

TODO = 2
HINT = 2


def tokens_of(bitmask):
    return set(np.flatnonzero(allowed(bitmask, 32 * len(bitmask))))
