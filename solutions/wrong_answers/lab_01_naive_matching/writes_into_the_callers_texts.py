"""Tokens without text are replaced in the caller's list, so None becomes the empty text there."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    for token_id, text in enumerate(texts):
        if text is None and isinstance(texts, list):
            texts[token_id] = ""
    return np.array([bool(text) and viable(prefix + text) for text in texts], dtype=np.bool_)
