"""One block is taken for a whole run, although the blocks after it fit into the same box."""

TODO = 1
HINT = 2


def end_of_run(start, end):
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + size - 1
