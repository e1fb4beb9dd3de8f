"""The words are summed in int64 and clipped to int32, where token 31 is too large a number."""

TODO = 2
HINT = 2


def pack(allowed):
    batch, vocab_size = allowed.shape
    bits = np.zeros((batch, words_for(vocab_size) * 32), np.int64)
    bits[:, :vocab_size] = allowed
    words = (bits.reshape(batch, words_for(vocab_size), 32) << np.arange(32)).sum(axis=2)
    return np.minimum(words, 2**31 - 1).astype(np.int32)
