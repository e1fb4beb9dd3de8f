"""Only the logits are counted, as if the words were on the device already."""

TODO = 12
HINT = 2


def least_bytes(bitmask, vocab_size, n_columns, itemsize):
    return (len(bitmask) * n_columns - int(unpack(bitmask, vocab_size).sum())) * itemsize
