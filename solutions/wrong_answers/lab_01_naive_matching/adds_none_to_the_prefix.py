"""A token whose text is None is put after the prefix like any other, and Python adds no None to a string."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    return np.array([viable(prefix + text) for text in texts], dtype=np.bool_)
