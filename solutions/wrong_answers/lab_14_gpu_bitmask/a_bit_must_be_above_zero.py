"""Each bit is isolated in its place and compared with 0, and the sign bit is below it."""

TODO = 3
HINT = 2


def unpack(bitmask, vocab_size):
    bits = bitmask[:, :, None] & (np.uint32(1) << np.arange(32, dtype=np.uint32)).view(np.int32)
    return bits.reshape(len(bitmask), bitmask.shape[1] * 32)[:, :vocab_size] > 0
