"""The words are shifted from their highest bit down."""

TODO = 3
HINT = 1


def unpack(bitmask, vocab_size):
    bits = (bitmask[:, :, None] >> np.arange(31, -1, -1, dtype=np.int32)) & 1
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] == 1
