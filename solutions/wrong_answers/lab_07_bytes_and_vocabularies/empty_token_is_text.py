"""A token without bytes is kept as the empty text."""

TODO = 5
HINT = 2


def text_bytes(vocabulary):
    special = vocabulary.special_ids
    return tuple(None if token_id in special else token for token_id, token in enumerate(vocabulary.token_bytes))
