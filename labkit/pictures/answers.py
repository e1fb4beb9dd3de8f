"""Two answers to one prompt, side by side: where the free one broke, and what came in its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from xml.sax.saxutils import escape

from labkit.pictures._svg import CHAR, Svg, picture, tag, text_at, visible

_COLUMN, _LINE, _MARGIN = 44, 19.0, 20.0


@dataclass(frozen=True)
class DrawnAnswer:
    """An answer under a heading: its text, how many characters precede the break (None: there is none), a verdict.

    >>> DrawnAnswer("free", "1 maybe", 2, "not valid").text[2:]
    'maybe'
    """

    heading: str
    text: str
    broke: int | None
    verdict: str


def answers_svg(prompt: str, answers: Sequence[DrawnAnswer]) -> Svg:
    """Draw a prompt and a column for each answer; what comes after the break is in another colour.

    >>> free, masked = DrawnAnswer("free", "two", 0, "not valid"), DrawnAnswer("masked", "2", None, "valid")
    >>> answers_svg("2?", [free, masked]).name
    'prompt: 2?; free: two (not valid); masked: 2 (valid)'
    """
    width = _MARGIN + len(answers) * (_COLUMN * CHAR + _MARGIN)
    parts = [text_at(_MARGIN, 28, f"prompt: {prompt}", "mono", "start")]
    bottom = 0.0
    for number, answer in enumerate(answers):
        x, y = _MARGIN + number * (_COLUMN * CHAR + _MARGIN), 62.0
        parts.append(text_at(x, y, answer.heading, "bold", "start"))
        good = "m2" if answer.broke is None else "m1"
        place = 0
        written = (line for part in answer.text.split("\n") for line in wrap(visible(part), _COLUMN) or [""])
        for line in written if answer.text else ["(nothing)"]:
            y += _LINE
            place = answer.text.find(line, place) if line in answer.text[place:] else place
            cut = len(line) if answer.broke is None else max(0, min(len(line), answer.broke - place))
            parts.append(_two_colours(x, y, line[:cut], line[cut:]))
            place += len(line)
        parts.append(text_at(x, y + _LINE + 5, answer.verdict, f"bold {good}", "start"))
        bottom = max(bottom, y + _LINE + 5)
    said = "; ".join(f"{answer.heading}: {answer.text} ({answer.verdict})" for answer in answers)
    return picture(width, bottom + _MARGIN, "".join(parts), f"prompt: {prompt}; {said}")


def _two_colours(x: float, y: float, before: str, after: str) -> str:
    spans = tag("tspan", escape(before)) + (tag("tspan", escape(after), class_="m1") if after else "")
    return tag("text", spans, x=x, y=y + 4.2, class_="mono", text_anchor="start", style="white-space:pre")
