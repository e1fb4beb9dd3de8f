"""The dtype is left to NumPy, which makes float64 of an empty list."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    return np.array([viable(prefix + text) if text else False for text in texts])
