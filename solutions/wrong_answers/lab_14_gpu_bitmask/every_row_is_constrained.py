"""The list of rows is ignored, and every row is masked."""

TODO = 7
HINT = 1


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)):
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity
        logits[row, vocab_size:] = infinity
