"""`text and viable(…)` is None or '' for a token without text, and the array gets a dtype to match."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    return np.array([text and viable(prefix + text) for text in texts])
