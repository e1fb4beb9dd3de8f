"""Every unknown key is returned, whether it was asked for or not."""

TODO = 7
HINT = 1


def fresh_keys(after, keys):
    return np.flatnonzero(after == UNKNOWN)
