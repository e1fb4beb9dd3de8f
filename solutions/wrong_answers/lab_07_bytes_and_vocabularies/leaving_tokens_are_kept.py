"""The rows are put together the right way, and then the tokens that leave are returned."""

TODO = 9
HINT = 1


def pure_tokens(valid, has, excluded):
    return valid & np.bitwise_or.reduce(has[list(excluded)], axis=0)
