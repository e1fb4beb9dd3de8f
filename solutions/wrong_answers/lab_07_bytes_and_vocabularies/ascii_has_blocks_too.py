"""ASCII is cut at multiples of 64 like everything else, although it has no continuation bytes."""

TODO = 1
HINT = 2


def end_of_run(start, end):
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    last_of_parent = start | (size * 64 - 1)
    return min(last_of_parent, start + (end - start + 1) // size * size - 1)
