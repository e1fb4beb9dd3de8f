"""The excluded bytes are read as text, so a list or a tuple of numbers is refused."""

TODO = 9
HINT = 2


def pure_tokens(valid, has, excluded):
    leaving = np.bitwise_or.reduce(has[np.frombuffer(excluded, np.uint8)], axis=0)
    return valid & ~leaving
