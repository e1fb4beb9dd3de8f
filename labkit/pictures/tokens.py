"""An answer token by token: what was written, what the model would rather have written, and how much was left."""

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.pictures._svg import Svg, picture, tag, text_at, visible, width_of

_MARGIN, _LEFT, _BOX, _ROW, _GAP, _WIDEST = 16.0, 96.0, 28.0, 88.0, 6.0, 720.0


@dataclass(frozen=True)
class WrittenToken:
    """A token of an answer: how it's written, the favourite that the mask struck (or ""), and how many it left."""

    name: str
    struck: str
    left: int


def tokens_svg(tokens: Sequence[WrittenToken], n_tokens: int) -> Svg:
    """Draw each token in a box; above it what the mask struck, below it how many of ``n_tokens`` were left.

    Raises ``ValueError`` where there is no token.

    >>> drawn = tokens_svg([WrittenToken("'4'", "' Sure'", 10), WrittenToken("EOS", "'-'", 12)], 1024)
    >>> drawn.name, str(drawn).count("mono struck"), str(drawn).count("mono off")
    ("'4' instead of ' Sure', EOS instead of '-'", 1, 1)
    """
    if not tokens:
        raise ValueError("there is nothing to draw: give at least one token")
    x, y, right, parts = _MARGIN + _LEFT, _MARGIN, 0.0, list[str]()
    for number, token in enumerate(tokens):
        width = max(width_of(visible(text)) for text in (token.name, token.struck, f"{token.left:,}")) + 14
        if x > _MARGIN + _LEFT and x + width > _WIDEST:
            x, y = _MARGIN + _LEFT, y + _ROW
        if x == _MARGIN + _LEFT:
            parts += _labels(y, n_tokens, first=number == 0)
        parts.append(_token(token, x, y, width))
        x += width + _GAP
        right = max(right, x)
    name = ", ".join(token.name + f" instead of {token.struck}" * bool(token.struck) for token in tokens)
    return picture(right - _GAP + _MARGIN, y + _ROW, "".join(parts), name)


def _labels(y: float, n_tokens: int, *, first: bool) -> list[str]:
    """Say what a row's three lines are; the last one in full only once."""
    said = ("struck", "written", f"left of {n_tokens:,}" if first else "left")
    return [text_at(_MARGIN, y + place, text, "muted", "start") for place, text in zip((10, 36, 62), said, strict=True)]


def _token(token: WrittenToken, x: float, y: float, width: float) -> str:
    # a line through a hyphen would hide it; the row says "struck" in any case
    class_ = "mono struck" if any(char.isalnum() for char in token.struck) else "mono off"
    struck = text_at(x + width / 2, y + 10, token.struck, class_) if token.struck else ""
    ring = tag("rect", class_="ring", x=x, y=y + 22, width=width, height=_BOX, rx=5)
    words = text_at(x + width / 2, y + 36, token.name, "mono bold")
    return tag("g", struck, ring, words, text_at(x + width / 2, y + 62, f"{token.left:,}", "muted"), class_="allowed")
