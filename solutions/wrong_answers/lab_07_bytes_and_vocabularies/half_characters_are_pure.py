"""Every token without the bytes counts, also one that is not made of whole characters."""

TODO = 9
HINT = 1


def pure_tokens(valid, has, excluded):
    return ~np.bitwise_or.reduce(has[list(excluded)], axis=0)
