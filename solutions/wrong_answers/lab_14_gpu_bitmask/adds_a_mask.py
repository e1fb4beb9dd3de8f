"""Minus infinity is added where a token is forbidden and 0 elsewhere, which changes -0.0 and leaves NaN."""

TODO = 7
HINT = 2


def apply(logits, bitmask, vocab_size, rows=None):
    infinity = minus_infinity(logits.dtype)
    for row in range(len(logits)) if rows is None else rows:
        added = np.full(logits.shape[1], infinity)
        added[:vocab_size][unpack(bitmask[row : row + 1], vocab_size)[0]] = 0
        if logits.dtype == np.uint16:
            logits[row] = np.where(added, infinity, logits[row])
        else:
            logits[row] += added
