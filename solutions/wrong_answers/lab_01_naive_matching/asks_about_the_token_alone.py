"""Each token is judged alone, as if nothing had been written before it."""

TODO = 3
HINT = 1


def build_mask(texts, prefix, viable):
    return np.array([viable(text) if text else False for text in texts], dtype=np.bool_)
