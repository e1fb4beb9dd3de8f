"""An allowed logit is counted as if it had to be read and written."""

TODO = 12
HINT = 1


def least_bytes(bitmask, vocab_size, n_columns, itemsize):
    return len(bitmask) * (words_for(vocab_size) * 4 + n_columns * itemsize)
