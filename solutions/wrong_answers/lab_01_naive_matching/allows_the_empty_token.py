"""Only None counts as a token without text, so the empty token is allowed and the model can emit it for ever."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    return np.array([viable(prefix + text) if text is not None else False for text in texts], dtype=np.bool_)
