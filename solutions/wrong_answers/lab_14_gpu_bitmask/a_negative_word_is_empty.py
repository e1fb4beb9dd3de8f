"""A row counts as empty if no word of it is above 0, and token 31 makes a word negative."""

TODO = 4
HINT = 2


def refuse_empty_rows(bitmask, vocab_size):
    tail = np.zeros((1, bitmask.shape[1] * 32), bool)
    tail[:, :vocab_size] = True
    alive = ((bitmask & pack(tail)) > 0).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
