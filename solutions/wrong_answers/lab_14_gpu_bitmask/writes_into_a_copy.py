"""The logits are reshaped to one long row first, which is a copy if they have gaps."""

TODO = 7
HINT = 2


def apply(logits, bitmask, vocab_size, rows=None):
    infinity, n_columns = minus_infinity(logits.dtype), logits.shape[1]
    flat = logits.reshape(-1)
    for row in range(len(logits)) if rows is None else rows:
        piece = flat[row * n_columns : (row + 1) * n_columns]
        piece[:vocab_size][~unpack(bitmask[row : row + 1], vocab_size)[0]] = infinity
        piece[vocab_size:] = infinity
