"""The batch is packed as one long row, so a row may start in the middle of a word."""

TODO = 2
HINT = 2


def pack(allowed):
    batch, vocab_size = allowed.shape
    words = np.zeros(batch * words_for(vocab_size), np.int32)
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.reshape(batch, words_for(vocab_size))
