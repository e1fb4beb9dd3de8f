"""The first token of each word is put into its highest bit."""

TODO = 2
HINT = 1


def pack(allowed):
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.uint32)
    bits[:, :vocab_size] = allowed
    shifted = bits.reshape(batch, words_for(vocab_size), 32) << np.arange(31, -1, -1, dtype=np.uint32)
    return np.bitwise_or.reduce(shifted, axis=2).view(np.int32)
