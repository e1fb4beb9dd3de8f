"""A bit is set where the token is not allowed, as in attention masks."""

TODO = 2
HINT = 1


def pack(allowed):
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.uint32)
    bits[:, :vocab_size] = ~allowed
    shifted = bits.reshape(batch, words_for(vocab_size), 32) << np.arange(32, dtype=np.uint32)
    return np.bitwise_or.reduce(shifted, axis=2).view(np.int32)
