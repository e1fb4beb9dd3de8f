"""The bit is set at the first id with this text, so a second token with the same text stays forbidden."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    allowed = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and viable(prefix + text):
            allowed[texts.index(text)] = True
    return allowed
