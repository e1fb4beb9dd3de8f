"""A packed mask bit by bit: a row for each word of 32 tokens, the highest bit on the left, as numbers are written."""

from collections.abc import Sequence

from labkit.pictures._svg import Svg, picture, tag, text_at, width_of

_MARGIN, _CELL, _ROW, _HEIGHT, _BITS = 16.0, 21.0, 54.0, 24.0, 32
_LOWEST = -(1 << 31)


def words_svg(words: Sequence[int], n_tokens: int, *, title: str = "") -> Svg:
    """Draw each word of a mask: above each bit its token id, after the bits the word as an ``int32``.

    Bits after the last token have dashed frames. The sign bit, which is token 31 of a word, is framed.

    Raises ``ValueError`` for words that are not ``int32``, or too many or too few words for the tokens.

    >>> picture = str(words_svg([5, -2147483648], 40))  # tokens 0 and 2; of the second word, 24 bits are left over
    >>> picture.count('class="bit allowed'), picture.count('class="tail"'), ">-2147483648<" in picture
    (2, 24, True)
    """
    _check(words, n_tokens)
    top = _MARGIN + (30 if title else 0)
    names = [f"word {number}" for number in range(len(words))]
    left = _MARGIN + max(map(width_of, names)) + 12
    right = left + _CELL * _BITS
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    for number, word in enumerate(words):
        y = top + _ROW * number
        parts.append(text_at(_MARGIN, y + 18 + _HEIGHT / 2, names[number], "", "start"))
        parts += [_bit(32 * number + bit, word >> bit & 1, right - _CELL * bit, y, n_tokens) for bit in range(_BITS)]
        parts.append(tag("rect", class_="line strong", x=left + 0.5, y=y + 18, width=_CELL - 1, height=_HEIGHT, rx=4))
        parts.append(text_at(right + 12, y + 18 + _HEIGHT / 2, str(word), "mono bold", "start"))
    widest = right + 12 + max(width_of(str(word)) for word in words)
    width = max(widest, _MARGIN + width_of(title) * 1.25) + _MARGIN
    return picture(width, top + _ROW * len(words) - 12 + _MARGIN, "".join(parts), title or f"{len(words)} words")


def _check(words: Sequence[int], n_tokens: int) -> None:
    if not words or len(words) != -(-n_tokens // _BITS):
        raise ValueError(f"{n_tokens} tokens take {-(-n_tokens // _BITS)} words of {_BITS}; there are {len(words)}")
    for number, word in enumerate(words):
        if not _LOWEST <= word < -_LOWEST:
            raise ValueError(f"word {number} is {word}, which is no int32")


def _bit(token_id: int, value: int, right: float, top: float, n_tokens: int) -> str:
    """Draw one bit, given its right edge, and its token's id above it."""
    frame = {"x": right - _CELL + 0.5, "y": top + 18, "width": _CELL - 1, "height": _HEIGHT, "rx": 4}
    x, y = right - _CELL / 2, top + 18 + _HEIGHT / 2
    if token_id >= n_tokens:
        return tag(
            "g", tag("rect", class_="ghost", fill="none", **frame), text_at(x, y, str(value), "muted"), class_="tail"
        )
    small = {"style": "font-size:9px"} if token_id > 99 else {}
    head = tag("text", str(token_id), x=x, y=top + 13.2, class_="muted", text_anchor="middle", **small)
    shape = tag("rect", class_="ring", **frame) if value else tag("rect", class_="grid", fill="none", **frame)
    bit = text_at(x, y, str(value), "bold" if value else "off")
    return tag("g", head, shape, bit, class_="bit allowed" if value else "bit")
