"""A batch of logits as a grid: what a bitmask keeps of each row, what it masks, and the blocks of a kernel."""

from collections.abc import Sequence

from labkit.pictures._svg import Svg, hatch, picture, tag, text_at, visible, width_of

_MARGIN, _CELL, _ROW, _HEAD, _GAP = 16.0, 8.0, 30.0, 22.0, 6.0
_LEGEND = (("kept", "kept"), ("masked", "masked: -inf"), ("free", "not touched"))


def batch_svg(
    rows: Sequence[Sequence[bool] | None],
    n_tokens: int,
    *,
    block: int = 32,
    names: Sequence[str] = (),
    title: str = "",
) -> Svg:
    """Draw a cell for each logit, and a frame for each program of a kernel, which masks one block of one row.

    Args:
        rows: for each row and column whether it is masked; None for a row that no program touches.
        n_tokens: the number of tokens; the columns after them are padding.
        block: the number of columns of a program.
        names: labels of the rows, by default their numbers.

    Raises ``ValueError`` for no rows, rows or names of different lengths, and more tokens than columns.

    >>> picture = str(batch_svg([[False, True, True], None], 2, block=32))
    >>> picture.count('class="cell kept '), picture.count('class="cell masked"'), picture.count('class="cell free"')
    (1, 2, 3)
    """
    names = names or [f"row {number}" for number in range(len(rows))]
    n_columns = _checked(rows, n_tokens, names)
    left = _MARGIN + max(width_of(visible(name)) for name in names) + 12
    top = _MARGIN + (30 if title else 0)
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    parts += _heads(n_tokens, n_columns, block, left, top)
    for number, row in enumerate(rows):
        y = top + 2 * _HEAD + _ROW * number
        parts.append(text_at(_MARGIN, y + _ROW / 2 - 3, names[number], "", "start"))
        parts += _cells(row, n_columns, left, y, block)
    bottom = top + 2 * _HEAD + _ROW * len(rows)
    parts += _legend(left, bottom + 12)
    width = max(_place(n_columns - 1, left, block) + _CELL, left + 370, _MARGIN + width_of(title) * 1.25) + _MARGIN
    return picture(width, bottom + 28 + _MARGIN, "".join(parts), title or f"a batch of {len(rows)} rows")


def _checked(rows: Sequence[Sequence[bool] | None], n_tokens: int, names: Sequence[str]) -> int:
    lengths = {len(row) for row in rows if row is not None}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"there is nothing to draw: the masked rows have the lengths {sorted(lengths)}")
    if len(names) != len(rows):
        raise ValueError(f"{len(names)} names for {len(rows)} rows")
    n_columns = lengths.pop()
    if not 1 <= n_tokens <= n_columns:
        raise ValueError(f"{n_tokens} tokens do not lie in {n_columns} columns")
    return n_columns


def _place(column: int, left: float, block: int) -> float:
    """Return the left edge of a column: there is a small gap between blocks."""
    return left + _CELL * column + _GAP * (column // block)


def _heads(n_tokens: int, n_columns: int, block: int, left: float, top: float) -> list[str]:
    """Draw the headings: which columns are tokens, and which block they are in."""

    def over(first: int, last: int, y: float, text: str) -> str:
        middle = (_place(first, left, block) + _place(last, left, block) + _CELL) / 2
        return text_at(middle, y, text, "muted")

    parts = [over(0, n_tokens - 1, top + 8, f"tokens 0 to {n_tokens - 1}")]
    if n_columns > n_tokens:
        parts.append(over(n_tokens, n_columns - 1, top + 8, "padding"))
        x = _place(n_tokens, left, block) - 1
        parts.append(tag("line", class_="line", x1=x, x2=x, y1=top, y2=top + 18))
    for number, first in enumerate(range(0, n_columns, block)):
        last = min(first + block, n_columns) - 1
        parts.append(over(first, last, top + _HEAD + 8, f"block {number}: {_words(first, last, n_tokens)}"))
    return parts


def _words(first: int, last: int, n_tokens: int) -> str:
    """Return which words a block reads."""
    if first >= n_tokens:
        return "no word"
    one, other = first // 32, min(last, n_tokens - 1) // 32
    return f"word {one}" if one == other else f"words {one} to {other}"


def _cells(row: Sequence[bool] | None, n_columns: int, left: float, y: float, block: int) -> list[str]:
    parts = []
    for column in range(n_columns):
        kind = "free" if row is None else "masked" if row[column] else "kept"
        parts.append(_cell(kind, _place(column, left, block), y + 2))
    for first in range(0, n_columns, block):
        last = min(first + block, n_columns) - 1
        x = _place(first, left, block) - 1.5
        size = {"width": _place(last, left, block) + _CELL + 1 - x, "height": _ROW - 9}
        parts.append(tag("rect", class_="line ghost" if row is None else "line strong", x=x, y=y - 0.5, rx=3, **size))
    return parts


def _cell(kind: str, x: float, y: float) -> str:
    frame = {"x": x, "y": y, "width": _CELL - 1.5, "height": _ROW - 14, "rx": 1}
    if kind == "masked":
        edge = tag("rect", class_="gone", fill="none", **frame)
        return tag("g", edge, hatch(x, y, _CELL - 1.5, _ROW - 14), class_="cell masked")
    if kind == "free":
        return tag("g", tag("rect", class_="grid", fill="none", **frame), class_="cell free")
    return tag("g", tag("rect", class_="ring", **frame), class_="cell kept allowed")


def _legend(left: float, y: float) -> list[str]:
    parts = []
    for number, (kind, text) in enumerate(_LEGEND):
        x = left + 130 * number
        parts += [_cell(kind, x, y - 4).replace("cell ", "sample "), text_at(x + 14, y + 4, text, "muted", "start")]
    return parts
