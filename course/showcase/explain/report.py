"""What ``course explain`` says about a text, as data and on the terminal."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from course.showcase.explain.odds import Odds, odds_at
from course.showcase.explain.places import asked_by, place_after
from course.showcase.explain.walking import alternatives, described, nearest_end, states_of
from course.student.core.trace import visible
from labkit.models import Model
from labkit.pictures.palette import TERMINAL
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from mask_engine import Guide, guide_of_format

_WIDTH = 100
NOTICED = 0.001
"""Less likely tokens are not shown."""


@dataclass(frozen=True)
class Explanation:
    """What became of a text.

    Attributes:
        verdict: ``whole``, ``unfinished`` (a longer text can be whole) or ``refused``.
        at: bytes that a whole text may begin with; where it is refused, the next one may not come.
        path: the states up to there, or the open rules.
        allowed: what may come there.
        may_end: whether the text up to there is whole.
        place: for a schema, the place in the JSON text.
        asked_by: for a schema, JSON pointers of the parts that are about that place, with the parts.
        nearest: the shortest whole text that begins with what was read; None if no end is near.
        odds: what a model would write there, if there is one.
    """

    text: str
    verdict: str
    at: int
    path: str
    allowed: list[str]
    may_end: bool
    place: str | None
    asked_by: list[tuple[str, Any]]
    nearest: str | None
    odds: Odds | None = None


def explain(guide: Guide, text: bytes, schema: Any = None, model: Model | None = None) -> Explanation:
    """Walk a text through a guide, and say where it may not go on.

    Args:
        schema: of the guide, if it was made of one.
        model: the small model after a prompt, for the odds.

    Raises:
        ValueError: if prompt and text are more than the model can read.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    >>> found = explain(compile_guide(Vocabulary.toy(), json_schema=schema), b'{"n": x', schema)
    >>> found.verdict, found.at, found.place, found.asked_by, found.nearest
    ('refused', 6, '/n', [('#/properties/n', {'type': 'integer'})], '{"n": 0}')
    """
    states = states_of(guide, text)
    at, last = len(states) - 1, states[-1]
    whole = guide.is_accepting(last) and guide.is_whole(last)
    verdict = "refused" if at < len(text) else "whole" if whole else "unfinished"
    place = place_after(text[:at].decode("utf-8", "ignore")) if schema is not None else None
    end = nearest_end(guide, last)
    odds = None
    if model is not None:
        tokenizer, before = Tokenizer.load(), text[:at].decode("utf-8", "ignore")  # to a whole character
        odds = odds_at(guide, states[len(before.encode())], model(tokenizer.encode(before)), tokenizer.vocabulary)
    return Explanation(
        text.decode("utf-8", "replace"),
        verdict,
        at,
        described(guide, states, text),
        alternatives(guide, last),
        whole,
        place and str(place),
        [] if place is None else asked_by(schema, place.steps),
        None if end is None else (text[:at] + end).decode("utf-8", "replace"),
        odds,
    )


def explained(asked: Mapping[str, Any], text: str, logits: list[float] | None = None) -> str:
    """Return as JSON what became of a text under a constraint, which is in the shape of a ``response_format``.

    It is what a server's process of its own is told to do, so that nobody else has to wait.

    Args:
        logits: of each token of the small model, after what could be read; None for no odds.

    Raises:
        ValueError: if there is no constraint, or it cannot be compiled.

    >>> json.loads(explained({"type": "regex", "pattern": "0x[0-9a-f]+"}, "0x1g"))["at"]
    3
    """
    from labs.lab_09_inside_an_engine.solution import read_response_format

    wanted = read_response_format(asked)
    if wanted is None:
        raise ValueError("there is nothing to explain without a constraint")
    schema = {"json_schema": wanted.value, "json_object": {"type": "object"}}.get(wanted.kind)
    guide = guide_of_format(Vocabulary.toy(), wanted)
    model = None if logits is None else lambda ids: np.array(logits)
    return json.dumps(asdict(explain(guide, text.encode(), schema, model)))


def show(report: Explanation, console: Console) -> None:
    """Print a report: the text with the place marked, why, and what could have come."""
    content = report.text.encode("utf-8")
    read = content[: report.at].decode("utf-8", "ignore")
    rest = content[len(read.encode("utf-8")) :].decode("utf-8", "replace")  # begins with a whole character
    shown = Text(visible(read[-_WIDTH:]), TERMINAL["allowed"])
    if report.verdict == "refused":
        shown.append(visible(rest[:1]), f"bold reverse {TERMINAL['struck']}")
        shown.append(visible(rest[1 : 1 + _WIDTH]), "dim")
    console.print(shown)
    where = f" The place in the JSON text is {report.place}." * (report.place is not None)
    line, column = read.count("\n") + 1, len(read) - (read.rfind("\n") + 1) + 1
    says = {
        "refused": f"{rest[:1]!r} can't come here: line {line}, column {column}, byte {report.at}.",
        "unfinished": "Nothing is wrong so far, but the text isn't whole yet.",
        "whole": "The text is whole.",
    }[report.verdict]
    console.print(says + where, markup=False)
    for name, part in report.asked_by:
        line_of = json.dumps(part, ensure_ascii=False)
        console.print(Text(f"  {name}  {line_of if len(line_of) <= _WIDTH else line_of[:_WIDTH] + ' …'}", "cyan"))
    ends = ["the end"] * report.may_end
    console.print(f"May come: {'   '.join(map(_seen, [*report.allowed, *ends]))}", markup=False)
    if report.odds is not None:
        console.print(_in_words(report.odds), markup=False)
    if report.place is None:  # the states of a schema are too many to say anything
        console.print(f"Up to here: {report.path}", markup=False)
    if report.nearest is None:
        console.print("No whole text is near.")
    elif report.verdict != "whole":
        console.print(Text(f"The nearest whole text: {visible(report.nearest)}"))


def _seen(text: str) -> str:
    """Return a text so that all of it can be seen; spaces at its edges would look like the gap to the next one."""
    if text == " ":
        return "space"
    return visible(text) if text == text.strip(" ") else f"'{visible(text)}'"


def _in_words(odds: Odds) -> str:
    def quoted(token: str | None) -> str:
        return "the end" if token is None else repr(token)

    shown = [f"{quoted(token)} {share:.1%}" for token, share in odds.likely if share >= NOTICED]
    likely = "   ".join(shown) or "none above 0.1%"
    rather = f"; without one, its first choice is {quoted(odds.first_choice)}"
    is_kept = odds.first_choice in [token for token, _ in odds.likely]
    return f"The model's odds: {likely}\nA mask leaves it {odds.kept:.1%}{'' if is_kept else rather}."
