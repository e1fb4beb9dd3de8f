"""A run goes on beyond the block of 64 that it begins in, as if the next block were open from the same place on."""

TODO = 1
HINT = 2


def end_of_run(start, end):
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + (end - start + 1) // size * size - 1
