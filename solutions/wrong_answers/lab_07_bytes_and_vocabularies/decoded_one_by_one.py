"""Each id is decoded alone and encoded again, so half a character turns into a replacement character."""

TODO = 5
HINT = 2


def text_bytes(vocabulary):
    return tuple(vocabulary.decode([token_id]).encode() or None for token_id in range(len(vocabulary)))
