"""Only the token's first character is tried, so a token that dies later is allowed."""

TODO = 3
HINT = 1


def build_mask(texts, prefix, viable):
    return np.array([viable(prefix + text[0]) if text else False for text in texts], dtype=np.bool_)
