"""Pictures below a title and lines of text, all on one panel."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from labkit.pictures._svg import Svg, num, picture, tag, text_at, visible, width_of

_MARGIN, _LINE = 16.0, 19.0


def captioned(title: str, rows: Sequence[tuple[str, str]], *drawn: Svg) -> Svg:
    """Draw lines of text, each with its class, such as ``mono``, and below them the pictures, one below the other.

    Spaces stay as they are.

    >>> from labkit.pictures import bar_chart
    >>> print(captioned("Two", [("a   b", "mono")], bar_chart({"a": 1}, title="Bars")).name)
    Two: a   b; Bars
    """
    y, parts = 24.0, [text_at(_MARGIN, 24, title, "title", "start")]
    for text, class_ in rows:
        y += _LINE
        spaced = {"class_": class_, "text_anchor": "start", "style": "white-space:pre"}
        parts.append(tag("text", escape(visible(text)), x=_MARGIN, y=y + 8.2, **spaced))
    width = max(width_of(title) * 1.25, *(width_of(visible(text)) for text, _ in rows)) + 2 * _MARGIN
    height = y + _MARGIN + 6
    for each in drawn:
        found = re.search(r'viewBox="0 0 (\S+) (\S+)"', each.source)
        assert found is not None, "each of our pictures has a viewBox"
        panel_and_rest = each.source.partition("</style>")[2].rpartition("</svg>")[0]
        inside = panel_and_rest.partition("/>")[2]  # one panel is enough
        parts.append(tag("g", inside, transform=f"translate(0 {num(height)})"))
        width, height = max(width, float(found[1])), height + float(found[2])
    said = [text for text, _ in rows if text] + [each.name for each in drawn]
    return picture(width, height, "".join(parts), f"{title}: {'; '.join(said)}")
