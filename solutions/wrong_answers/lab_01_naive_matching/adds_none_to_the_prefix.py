"""A token whose text is None is appended to the prefix like any other, which raises a TypeError."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    return np.array([viable(prefix + text) for text in texts], dtype=np.bool_)
