"""Only masked tokens are counted, and the padding is forgotten."""

TODO = 12
HINT = 2


def least_bytes(bitmask, vocab_size, n_columns, itemsize):
    masked = len(bitmask) * vocab_size - int(unpack(bitmask, vocab_size).sum())
    return len(bitmask) * words_for(vocab_size) * 4 + masked * itemsize
