"""An error is raised only if no row of the whole batch allows anything."""

TODO = 4
HINT = 1


def refuse_empty_rows(bitmask, vocab_size):
    if len(bitmask) and not unpack(bitmask, vocab_size).any():
        raise EmptyRow(0)
