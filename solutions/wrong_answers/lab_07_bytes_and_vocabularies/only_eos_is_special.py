"""EOS alone is kept out, and the names of the other control tokens are taken for text."""

TODO = 11
HINT = 1


def text_bytes(vocabulary):
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id == vocabulary.eos_id or not token else token for token_id, token in tokens)
