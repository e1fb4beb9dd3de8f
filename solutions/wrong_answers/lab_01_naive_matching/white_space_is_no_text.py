"""A token of white space alone counts as a token without text."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    return np.array([bool(text and text.strip()) and viable(prefix + text) for text in texts], dtype=np.bool_)
