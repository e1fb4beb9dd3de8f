"""A joined range ends where the later one ends, and a range inside another cuts off what is after it."""

TODO = 1
HINT = 2


def merge_ranges(ranges):
    merged = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            first = merged.pop()[0]
        merged.append((first, last))
    return tuple(merged)
