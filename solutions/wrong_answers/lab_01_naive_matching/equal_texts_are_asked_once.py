"""A text that two ids have is asked about only once, although every token costs one question here."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    asked = {}
    for text in texts:
        if text and text not in asked:
            asked[text] = viable(prefix + text)
    return np.array([asked.get(text, False) for text in texts], dtype=np.bool_)
