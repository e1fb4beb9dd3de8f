"""A row counts as alive if any of its words is not 0, garbage after the last token included."""

TODO = 4
HINT = 2


def refuse_empty_rows(bitmask, vocab_size):
    alive = (bitmask != 0).any(axis=1)
    if not alive.all():
        raise EmptyRow(int(np.argmin(alive)))
