"""A run continues past the end of the larger block in which it begins."""

TODO = 1
HINT = 2


def end_of_run(start, end):
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + (end - start + 1) // size * size - 1
