"""A row that allows nothing is filled with ones instead of being refused."""

TODO = 5
HINT = 3


def fill(masks, states, out, vocab_size):
    rows = [row for row, mask in enumerate(masks) if mask is not None]
    out[:] = -1
    for row in rows:
        words = masks[row](states[row])
        out[row] = words if words.any() else -1
    return np.array(rows, np.int32)
