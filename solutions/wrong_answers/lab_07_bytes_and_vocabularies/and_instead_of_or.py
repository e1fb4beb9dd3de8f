"""Only the tokens that have all of the excluded bytes leave the string, so one quote is let through."""

TODO = 9
HINT = 1


def pure_tokens(valid, has, excluded):
    return valid & ~np.bitwise_and.reduce(has[list(excluded)], axis=0) if len(excluded) else valid.copy()
