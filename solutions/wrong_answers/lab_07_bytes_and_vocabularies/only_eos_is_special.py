"""Of the special tokens only EOS is left out, so the names of the others count as text."""

TODO = 5
HINT = 1


def text_bytes(vocabulary):
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id == vocabulary.eos_id or not token else token for token_id, token in tokens)
