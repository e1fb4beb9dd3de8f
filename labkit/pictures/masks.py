"""Mask rows as a grid: one row for each state, one column for each token."""

from collections.abc import Sequence

from labkit.pictures._svg import Svg, picture, tag, text_at, visible, width_of

_ROW, _HEAD, _MARGIN, _CELL = 34.0, 34.0, 16.0, 44.0


def mask_svg(
    rows: Sequence[Sequence[bool]],
    tokens: Sequence[str],
    *,
    names: Sequence[str] = (),
    strong: int | None = None,
    title: str = "",
) -> Svg:
    """Draw one row for each mask, one column for each token: 1 in a box where the token is allowed, else 0.

    ``names`` label the rows (by default their numbers); ``strong`` is the column to frame, EOS's for instance.

    Raises ``ValueError`` for no rows or tokens, rows or names of other lengths, and a column that does not exist.

    >>> picture = str(mask_svg([[True, False], [True, True]], ["1", "EOS"], strong=1))
    >>> picture.count('class="allowed"'), picture.count('class="allowed current"')  # twice "1", and EOS in its frame
    (2, 1)
    """
    names = names or [f"state {number}" for number in range(len(rows))]
    _check(rows, tokens, names, strong)
    widths = [max(_CELL, width_of(visible(token)) + 20) for token in tokens]
    left = _MARGIN + max(width_of(visible(name)) for name in names) + 16
    top = _MARGIN + (26 if title else 0)
    starts = [left + sum(widths[:column]) for column in range(len(tokens) + 1)]
    bottom = top + _HEAD + _ROW * len(rows)
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    for column, token in enumerate(tokens):
        x = starts[column] + widths[column] / 2
        parts.append(text_at(x, top + _HEAD / 2, token, "mono bold"))
        parts += [_cell(row[column], x, _middle(top, number), column == strong) for number, row in enumerate(rows)]
    if strong is not None:
        size = {"width": widths[strong] - 4, "height": bottom - top}
        parts.append(tag("rect", class_="line strong", x=starts[strong] + 2, y=top, rx=6, **size))
    parts += [text_at(_MARGIN, _middle(top, number), name, "", "start") for number, name in enumerate(names)]
    width = max(starts[-1], _MARGIN + width_of(title) * 1.25) + _MARGIN
    return picture(width, bottom + _MARGIN, "".join(parts), title or f"{len(rows)} masks of {len(tokens)} tokens")


def _check(rows: Sequence[Sequence[bool]], tokens: Sequence[str], names: Sequence[str], strong: int | None) -> None:
    if not len(rows) or not tokens:
        raise ValueError("there is nothing to draw: give at least one row and one token")
    if len(names) != len(rows):
        raise ValueError(f"{len(names)} names for {len(rows)} rows")
    for number, row in enumerate(rows):
        if len(row) != len(tokens):
            raise ValueError(f"row {number} has {len(row)} bits for {len(tokens)} tokens")
    if strong is not None and not 0 <= strong < len(tokens):
        raise ValueError(f"there is no column {strong} to frame; the columns are 0 to {len(tokens) - 1}")


def _middle(top: float, number: int) -> float:
    return top + _HEAD + _ROW * (number + 0.5)


def _cell(allowed: bool, x: float, y: float, strong: bool) -> str:
    if not allowed:
        return text_at(x, y, "0", "off")
    box = tag("rect", class_="ring", x=x - 14, y=y - 12, width=28.0, height=24.0, rx=5)
    return tag("g", box, text_at(x, y, "1", "bold"), class_="allowed current" if strong else "allowed")
