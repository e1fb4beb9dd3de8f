"""Ranges are sorted in place, so the caller finds the list in another order."""

TODO = 1
HINT = 1


def merge_ranges(ranges):
    ranges = list(ranges) if isinstance(ranges, (tuple, set)) else ranges
    ranges.sort()
    merged = []
    for first, last in ranges:
        if merged and first <= merged[-1][1] + 1:
            first, end = merged.pop()
            last = max(last, end)
        merged.append((first, last))
    return tuple(merged)
