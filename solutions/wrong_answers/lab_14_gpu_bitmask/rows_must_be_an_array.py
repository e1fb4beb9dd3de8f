"""The rows are taken for an array of NumPy."""

TODO = 7
HINT = 1


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows.tolist():
        allowed = unpack(bitmask[row : row + 1], vocab_size)[0]
        logits[row, :vocab_size][~allowed] = infinity
        logits[row, vocab_size:] = infinity
