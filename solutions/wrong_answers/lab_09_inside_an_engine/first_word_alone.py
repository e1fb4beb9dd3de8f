"""Only the first 32 tokens are looked at."""

TODO = 2
HINT = 1


def tokens_of(bitmask):
    return set(np.flatnonzero(allowed(bitmask[:1], 32)).tolist()) if len(bitmask) else set()
