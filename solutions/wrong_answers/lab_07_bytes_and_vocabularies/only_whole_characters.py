"""A token that is no whole text is called no text at all, so characters of several tokens cannot be written."""

TODO = 5
HINT = 2


def text_bytes(vocabulary):
    return tuple(text.encode() if text else None for text in vocabulary.texts())
