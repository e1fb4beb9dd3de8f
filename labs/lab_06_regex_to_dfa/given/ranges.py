"""Sets of characters, written as ranges of code points: both ends included, ascending, and never touching."""

from collections.abc import Collection

from labkit.automata.syntax import LAST_CODE_POINT, Ranges


def merge_ranges(ranges: Collection[tuple[int, int]]) -> Ranges:
    """Return the same set of code points in canonical form: ascending, no two ranges overlap or touch.

    You can write the letters a to f as ``[a-f]`` or as ``[c-fab]``. In canonical form there's only one way to write
    each set, so two sets are equal exactly when their ranges are.

    Args:
        ranges: pairs ``(first, last)``, both included, in any order; they may overlap, and their numbers may be
            NumPy's.

    Returns:
        A tuple of tuples of plain ints, not NumPy's.

    >>> merge_ranges([(99, 102), (97, 98), (100, 101), (120, 120)])
    ((97, 102), (120, 120))
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        # Sorted by their start, ranges can only be joined with the one before.
        if merged and first <= merged[-1][1] + 1:
            first, end = merged.pop()
            last = max(last, end)  # subtle: a range inside the one before has the smaller end
        merged.append((int(first), int(last)))
    return tuple(merged)


def complement_ranges(ranges: Ranges) -> Ranges:
    """Return all code points that are not in some canonical ranges, in canonical form.

    >>> complement_ranges(((0, 96), (98, 0x10FFFE)))
    ((97, 97), (1114111, 1114111))
    """
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    # subtle: there may be a gap after the last range.
    if start <= LAST_CODE_POINT:
        gaps.append((start, LAST_CODE_POINT))
    return tuple(gaps)
