"""A token is called special if its bytes are in angle brackets, whatever the vocabulary says."""

TODO = 5
HINT = 1


def text_bytes(vocabulary):
    names = {token for token in vocabulary.token_bytes if token[:1] == b"<" and token[-1:] == b">"}
    return tuple(None if token in names or not token else token for token in vocabulary.token_bytes)
