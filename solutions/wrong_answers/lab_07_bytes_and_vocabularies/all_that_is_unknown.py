"""Every place at which nothing is known is given, whoever asked for it."""

TODO = 7
HINT = 1


def fresh_keys(after, keys):
    return np.flatnonzero(after == UNKNOWN)
