"""A word is shifted and compared with 0, without keeping the lowest bit alone."""

TODO = 3
HINT = 2


def unpack(bitmask, vocab_size):
    bits = bitmask[:, :, None] >> np.arange(32, dtype=np.int32)
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] != 0
