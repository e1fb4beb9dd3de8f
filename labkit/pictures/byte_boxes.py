"""The two-byte characters of UTF-8 as a grid: a row for each first byte, a column for each second byte."""

from collections.abc import Sequence

from labkit.pictures._svg import Svg, picture, tag, text_at, width_of

Sequence2 = tuple[tuple[int, int], tuple[int, int]]
"""A range of first bytes and a range of second ones, both ends included."""

_MARGIN, _CELL, _ROW, _HEAD, _LEFT = 16.0, 8.0, 26.0, 26.0, 110.0
_FIRST, _LAST = 0x80, 0xBF
_MARKS = (0x80, 0x90, 0xA0, 0xB0, 0xBF)


def byte_boxes_svg(sequences: Sequence[Sequence2], *, title: str = "") -> Svg:
    """Draw each sequence of two byte ranges as the box that it fills in the grid of all two-byte characters.

    Only the rows that a sequence touches, and those between them, are drawn.

    Raises ``ValueError`` for no sequences, and for one that is not a sequence of two bytes.

    >>> picture = str(byte_boxes_svg([((0xC3, 0xC3), (0xA9, 0xBF)), ((0xC4, 0xC5), (0x80, 0xBF))]))
    >>> picture.count('class="box"'), "C4-C5 80-BF" in picture  # é to ÿ, and the 128 characters after them
    (2, True)
    """
    _check(sequences)
    rows = range(min(first[0] for first, _ in sequences), max(first[1] for first, _ in sequences) + 1)
    top = _MARGIN + _HEAD + (26 if title else 0)
    left, width = _MARGIN + _LEFT, _CELL * 64
    names = [" ".join(f"{a:02X}" if a == b else f"{a:02X}-{b:02X}" for a, b in each) for each in sequences]
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    parts += [text_at(left + _CELL * (mark - _FIRST + 0.5), top - 12, f"{mark:02X}", "mono muted") for mark in _MARKS]
    parts += [_row(byte, left, top + _ROW * place, width) for place, byte in enumerate(rows)]
    for number, (name, each) in enumerate(zip(names, sequences, strict=True)):
        parts.append(_box(name, each, number % 5, left, top - _ROW * rows.start))
    whole = max(left + width, _MARGIN + width_of(title) * 1.25) + _MARGIN
    return picture(whole, top + _ROW * len(rows) + _MARGIN, "".join(parts), title or f"{len(sequences)} boxes of bytes")


def _check(sequences: Sequence[Sequence2]) -> None:
    if not sequences:
        raise ValueError("there is nothing to draw: give at least one sequence")
    for each in sequences:
        good = len(each) == 2 and 0xC2 <= each[0][0] <= each[0][1] <= 0xDF
        if not good or not _FIRST <= each[1][0] <= each[1][1] <= _LAST:
            raise ValueError(f"{each} is no sequence of two bytes: C2 to DF, and then 80 to BF")


def _row(byte: int, left: float, top: float, width: float) -> str:
    """Draw a first byte, the first code point with it, and the empty row of its 64 characters."""
    y = top + _ROW / 2
    name = text_at(_MARGIN, y, f"{byte:02X}", "mono bold", "start")
    point = text_at(left - 10, y, f"U+{(byte & 0x1F) << 6:04X}", "mono muted", "end")
    frame = tag("rect", class_="grid", fill="none", x=left, y=top + 2, width=width, height=_ROW - 4)
    return name + point + frame


def _box(name: str, sequence: Sequence2, colour: int, left: float, top: float) -> str:
    (first, last), (low, high) = sequence
    x, y = left + _CELL * (low - _FIRST), top + _ROW * first
    size = {"width": _CELL * (high - low + 1), "height": _ROW * (last - first + 1) - 4}
    cover = tag("rect", class_="back", x=x, y=y + 1, width=size["width"], height=size["height"] + 2)
    back = tag("rect", class_=f"m{colour}", fill_opacity="0.25", x=x, y=y + 2, **size, rx=3)
    edge = tag("rect", class_=f"line s{colour}", x=x, y=y + 2, **size, rx=3)
    return tag(
        "g",
        cover,
        back,
        edge,
        text_at(x + size["width"] / 2, y + 2 + size["height"] / 2, name, "mono bold"),
        class_="box",
    )
