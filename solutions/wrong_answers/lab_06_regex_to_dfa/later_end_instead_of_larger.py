"""A joined range ends where the later range ends, so a range inside another one cuts it short."""

TODO = 1
HINT = 2


def merge_ranges(ranges):
    merged = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            first = merged.pop()[0]
        merged.append((first, last))
    return tuple(merged)
