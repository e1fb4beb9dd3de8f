"""The tail is cleared in the caller's own bitmask before the rows are looked at."""

TODO = 4
HINT = 1


def refuse_empty_rows(bitmask, vocab_size):
    if vocab_size % 32 and bitmask.size:
        bitmask[:, -1] &= np.int32((1 << vocab_size % 32) - 1)
    empty = np.flatnonzero((bitmask == 0).all(axis=1))
    if len(empty):
        raise EmptyRow(int(empty[0]))
