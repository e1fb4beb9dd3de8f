"""Only the columns of tokens are masked, so padding can be sampled."""

TODO = 7
HINT = 1


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        logits[row, :vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity
