"""All bits of the words count as tokens, so the tail of the last word allows padding."""

TODO = 7
HINT = 2


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        allowed = np.zeros(max(logits.shape[1], bitmask.shape[1] * 32), bool)
        allowed[: bitmask.shape[1] * 32] = unpack(bitmask[row : row + 1], bitmask.shape[1] * 32)[0]
        logits[row, ~allowed[: logits.shape[1]]] = infinity
