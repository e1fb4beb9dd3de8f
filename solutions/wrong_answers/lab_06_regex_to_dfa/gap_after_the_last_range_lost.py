"""The gaps before and between the ranges are found, and the one after the last range is forgotten."""

TODO = 2
HINT = 2


def complement_ranges(ranges):
    gaps, start = [], 0
    for first, last in ranges:
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    return tuple(gaps)
