"""Ranges are joined where they overlap but not where they touch, so one set has two forms."""

TODO = 1
HINT = 2


def merge_ranges(ranges):
    merged = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1]:
            first, end = merged.pop()
            last = max(last, end)
        merged.append((first, last))
    return tuple(merged)
