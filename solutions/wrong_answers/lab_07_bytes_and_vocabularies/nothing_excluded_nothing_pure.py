"""With no byte excluded no token is said to be pure."""

TODO = 9
HINT = 2


def pure_tokens(valid, has, excluded):
    if not len(excluded):
        return np.zeros_like(valid)
    return valid & ~np.bitwise_or.reduce(has[list(excluded)], axis=0)
