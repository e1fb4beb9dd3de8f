"""The rows index the logits as they are, and a tuple means coordinates there."""

TODO = 7
HINT = 1


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    chosen = np.zeros(len(logits), bool)
    chosen[slice(None) if rows is None else rows] = True
    for row in np.flatnonzero(chosen):
        allowed = unpack(bitmask[row : row + 1], vocab_size)[0]
        logits[row, :vocab_size][~allowed] = infinity
        logits[row, vocab_size:] = infinity
