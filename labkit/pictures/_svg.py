"""The few SVG elements that every picture is made of: no script, no font, no external style sheet.

A picture draws its own panel, since an image cannot know the page around it: the reader's system may have a dark
scheme and the page a light one. The panel and everything on it always change colour together.
"""

import unicodedata
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from labkit.pictures.palette import (
    ACCENT,
    ALLOWED,
    BACK,
    EDGE,
    FILL,
    GRID,
    INK,
    LINE,
    LIT,
    MUTED,
    RIM,
    SERIES,
    STRUCK,
)

CHAR = 7.3
"""Width in pixels to allow for one character of 12 px monospaced text."""

_MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
_SHAPES = (
    f"text{{font:12px {_SANS}}}.mono{{font-family:{_MONO};unicode-bidi:bidi-override}}"
    ".title{font-size:15px;font-weight:600}.bold{font-weight:600}.small{font-size:10px}"
    ".line,.hatch{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:1.4}.hatch{stroke-width:1.1}"
    ".ring{stroke-width:1.6}.visited .ring{stroke-width:2.4}.line.strong{stroke-width:2.6}"
    ".unreachable .ring{stroke-dasharray:3 3}.struck{text-decoration:line-through}.ghost{stroke-dasharray:3 3}"
    ".line.clash{stroke-dasharray:5 4;stroke-width:2}.allowed .ring{fill-opacity:.16;stroke-width:2}"
    ".kept .ring,.current .ring{fill-opacity:1}.kept .ring{stroke-width:.8}.current .ring{stroke-width:2}"
    ".skipped .ring{stroke-dasharray:1.5 4}"
)
# selector, property, colour; a later line wins over an earlier one.
_COLOURS = (
    (".panel", "fill", BACK),
    (".panel", "stroke", LINE),
    (".back", "fill", BACK),
    ("text", "fill", INK),
    ("text.muted", "fill", MUTED),
    (".grid", "stroke", GRID),
    (".line", "stroke", MUTED),
    (".head", "fill", MUTED),
    (".ring", "fill", FILL),
    (".ring", "stroke", EDGE),
    (".strong", "stroke", ACCENT),
    (".head.strong", "fill", ACCENT),
    (".clash", "stroke", STRUCK),
    (".head.clash", "fill", STRUCK),
    (".current .ring", "stroke", RIM),
    (".visited .ring", "stroke", ACCENT),
    (".allowed .ring", "fill", ALLOWED),
    (".allowed .ring", "stroke", ALLOWED),
    (".good", "fill", ALLOWED),
    (".struck", "fill", STRUCK),
    (".off", "fill", STRUCK),
    (".ghost", "stroke", MUTED),
    (".gone", "stroke", STRUCK),
    (".hatch", "stroke", STRUCK),
    (".dead .ring", "stroke", STRUCK),
    (".skipped text", "fill", MUTED),
    (".current .ring", "fill", LIT),
    (".current text", "fill", INK),
    (".current .struck", "fill", STRUCK),
)


@dataclass(frozen=True)
class Svg:
    """A picture as SVG text, and its name for those who do not see it. ``save`` writes it to a file.

    A notebook shows it as an ``<img>``, since JupyterLab hides SVG itself in notebooks that are not trusted.

    >>> Svg("<svg/>", "a dot")._repr_mimebundle_()
    {'text/html': '<img alt="a dot" src="data:image/svg+xml;base64,PHN2Zy8+"/>', 'text/plain': '[picture: a dot]'}
    """

    source: str
    name: str

    def __str__(self) -> str:
        return self.source

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        data = b64encode(self.source.encode()).decode()
        image = tag("img", alt=self.name, src=f"data:image/svg+xml;base64,{data}")
        return {"text/html": image, "text/plain": f"[picture: {visible(self.name)}]"}

    def save(self, path: str | Path) -> None:
        """Write the picture to ``path`` as UTF-8; the same picture is the same bytes on every system."""
        Path(path).write_text(self.source, encoding="utf-8", newline="\n")


def num(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> num(12.000000001), num(-0.01), num(3.25)
    ('12', '0', '3.2')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def visible(text: str) -> str:
    r"""Return the text with everything escaped that is invisible, or that XML cannot hold (a lone surrogate, NUL).

    >>> visible("a\x00\ud800 é")
    'a\\x00\\ud800 é'
    """
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def width_of(text: str) -> float:
    """Return an upper bound of the text's width in pixels at 12 px; an East Asian wide character counts twice."""
    return CHAR * sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def tag(name: str, *inside: str, **attributes: str | float) -> str:
    """Return one element. ``inside`` is markup; attributes are escaped, and ``data_state`` becomes ``data-state``.

    >>> tag("circle", cx=1.0, class_="a&b")
    '<circle cx="1" class="a&amp;b"/>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(visible(value) if isinstance(value, str) else num(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def text_at(x: float, y: float, text: str, class_: str = "", anchor: str = "middle") -> str:
    """Return text whose middle line is at ``y``; ``anchor`` is start, middle or end."""
    return tag("text", escape(visible(text)), x=x, y=y + 4.2, class_=class_, text_anchor=anchor)


def hatch(x: float, y: float, width: float, height: float, gap: float = 6.0) -> str:
    """Return slanted lines that fill a rectangle: what a mask strikes is told by them where colours aren't seen.

    >>> hatch(0, 0, 10, 4)
    '<path class="hatch" d="M0 3L3 0M5 4L9 0"/>'
    """
    ends = []
    reach = gap / 2
    while reach < width + height:  # a line from the left or lower edge to the upper or right one
        left, right = (max(0.0, reach - height), min(height, reach)), (min(width, reach), max(0.0, reach - width))
        ends.append("L".join(f"{num(x + across)} {num(y + down)}" for across, down in (left, right)))
        reach += gap
    return tag("path", class_="hatch", d="".join(f"M{end}" for end in ends))


def tooltip(text: str) -> str:
    """Return a ``<title>`` element, shown when the reader points at the element around it."""
    return tag("title", escape(visible(text)))


def _style() -> str:
    """Return the style rules, each confined to our pictures: a page may hold this SVG inline, beside other styles."""
    series = [
        rule
        for number, colour in enumerate(SERIES)
        for rule in ((f".s{number}", "stroke", colour), (f".m{number}", "fill", colour))
    ]
    root = ".labkit-picture "
    light = "".join(f"{root}{where}{{{what}:{colour.light}}}" for where, what, colour in (*_COLOURS, *series))
    dark = "".join(f"{root}{where}{{{what}:{colour.dark}}}" for where, what, colour in (*_COLOURS, *series))
    shapes = "".join(f"{root}{rule.replace(',.', f',{root}.')}}}" for rule in _SHAPES.split("}") if rule)
    return tag("style", f"{shapes}{light}@media (prefers-color-scheme:dark){{{dark}}}")


def picture(width: float, height: float, body: str, name: str) -> Svg:
    """Return the finished picture on its panel; ``name`` is what a screen reader says."""
    panel = tag("rect", class_="panel", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8)
    root = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class_": "labkit-picture",
        "viewBox": f"0 0 {num(width)} {num(height)}",
    }
    shape = {"style": "max-width:100%;height:auto", "role": "img", "aria_label": name}
    return Svg(tag("svg", _style(), panel, body, **root, width=width, height=height, **shape) + "\n", name)
