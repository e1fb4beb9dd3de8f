"""A token of white space alone is taken for empty."""

TODO = 5
HINT = 1


def text_bytes(vocabulary):
    special = vocabulary.special_ids
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id in special or not token.strip() else token for token_id, token in tokens)
