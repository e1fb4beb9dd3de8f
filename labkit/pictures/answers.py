"""Two answers to one prompt: where the free one broke, and what came in its place.

One is above the other, so that a phone shows both whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from xml.sax.saxutils import escape

from labkit.pictures._svg import CHAR, Svg, picture, tag, text_at, visible

_COLUMN, _LINE, _GAP, _MARGIN = 44, 19.0, 26.0, 16.0


@dataclass(frozen=True)
class DrawnAnswer:
    """An answer under a heading: its text, how many characters precede the break (None: there is none), a verdict."""

    heading: str
    text: str
    broke: int | None
    verdict: str


def answers_svg(prompt: str, answers: Sequence[DrawnAnswer]) -> Svg:
    """Draw a prompt and the answers below it; what comes after the break is struck.

    >>> free, masked = DrawnAnswer("free", "4, I think", 1, "not valid"), DrawnAnswer("masked", "4", None, "valid")
    >>> answers_svg("2 + 2?", [free, masked]).name
    'prompt: 2 + 2?; free: 4, I think (not valid); masked: 4 (valid)'
    """
    asked = wrap(f"prompt: {prompt}", _COLUMN)
    parts = [text_at(_MARGIN, 28 + n * _LINE, line, "mono", "start") for n, line in enumerate(asked)]
    y = 28 + len(asked) * _LINE
    for answer in answers:
        y += _GAP
        parts.append(text_at(_MARGIN, y, answer.heading, "bold", "start"))
        good = "good" if answer.broke is None else "off"
        place = 0
        written = (line for part in answer.text.split("\n") for line in wrap(visible(part), _COLUMN) or [""])
        for line in written if answer.text else ["(nothing)"]:
            y += _LINE
            place = answer.text.find(line, place) if line in answer.text[place:] else place
            cut = len(line) if answer.broke is None else max(0, min(len(line), answer.broke - place))
            spans = tag("tspan", escape(line[:cut]))
            if line[cut:]:
                spans += tag("tspan", escape(line[cut:]), class_="struck")
            style = {"class_": "mono", "text_anchor": "start", "style": "white-space:pre"}
            parts.append(tag("text", spans, x=_MARGIN, y=y + 4.2, **style))
            place += len(line)
        y += _LINE + 5
        parts.append(text_at(_MARGIN, y, answer.verdict, f"bold {good}", "start"))
    width = _COLUMN * CHAR + 2 * _MARGIN
    said = "; ".join(f"{answer.heading}: {answer.text} ({answer.verdict})" for answer in answers)
    return picture(width, y + _MARGIN, "".join(parts), f"prompt: {prompt}; {said}")
