"""Showing two answers side by side: on a terminal while they are written, elsewhere when they are done."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from course.showcase.demo.text import fold, wrap

PACE = 0.008
"""Seconds to wait after each token on a terminal, so that a person can follow."""

WIDEST = 58
"""The most cells of a column, on terminals however wide."""

_GAP = 2
_DETAIL = 2
"""Lines that the judge's sentence may take."""


@dataclass(frozen=True)
class Said:
    """One answer of the small model, judged.

    Attributes:
        text: with the names of special tokens.
        broke: how many characters precede the first token that the mask forbids; all of them where the answer only
            ends too early, and None where it is valid.
        why: the judge's reason; empty where the answer is valid.
        detail: the judge's explanation in a sentence.
        right: whether it says what the prompt says; None where that is unknown.
    """

    text: str
    broke: int | None = None
    why: str = ""
    detail: str = ""
    right: bool | None = None


@dataclass(frozen=True)
class Question:
    """A prompt for a checkpoint; ``asked`` is the form in words, and empty where no form is asked for."""

    checkpoint: str
    prompt: str
    asked: str = ""


OnText = Callable[[int, str], object]
"""``on_text(side, text so far)``; side 0 is the free answer."""

Play = Callable[[OnText], Sequence[Said]]
"""Writes the free answer and, where there is a form, the masked one."""


def watch(console: Console, question: Question, play: Play, pace: float = PACE) -> Sequence[Said]:
    """Show the prompt, then the answers while they are written, then the verdicts.

    Args:
        pace: seconds to wait after each token, on a terminal alone.
    """
    _show_question(console, question)
    form = bool(question.asked)
    if not console.is_terminal or console.is_dumb_terminal:
        answers = play(lambda side, text: None)
        console.print(_finished(console, answers, form), soft_wrap=False)
        console.print()
        return answers
    texts = ["", ""] if form else [""]
    with Live(console=console, auto_refresh=False) as live:

        def on_text(side: int, text: str) -> None:
            texts[side] = text
            width = column_width(console.width)
            live.update(_columns([fold(text, width, console.encoding) for text in texts], width), refresh=True)
            time.sleep(pace)

        answers = play(on_text)
        live.update(_finished(console, answers, form), refresh=True)
    console.print()
    return answers


def column_width(width: int) -> int:
    """Return the cells of each of two columns on a terminal of this width.

    >>> column_width(80), column_width(300)
    (38, 58)
    """
    return max(8, min(WIDEST, (width - 2 - _GAP) // 2))


def _show_question(console: Console, question: Question) -> None:
    width = min(console.width, 2 * column_width(console.width) + 4)
    lines = [("prompt", question.prompt), ("asked for", question.asked)]
    for label, text in lines if question.asked else lines[:1]:
        for number, line in enumerate(wrap(text or "(nothing)", max(8, width - 11), console.encoding)):
            head = Text(f"{label if not number else '':11}", "dim")
            console.print(head.append(line, "not dim bold" if label == "prompt" else "not dim"))
    console.print(Text(f"{'model':11}checkpoint {question.checkpoint}", "dim"))


def _finished(console: Console, answers: Sequence[Said], form: bool) -> Padding:
    width = column_width(console.width)
    return _columns([judged(said, width, console.encoding, form=form) for said in answers], width)


def _columns(columns: Sequence[Sequence[Text]], width: int) -> Padding:
    return Padding(side_by_side(["without a mask", "with the mask"][: len(columns)], columns, width), (0, 0, 0, 2))


def verdict(said: Said) -> Text:
    """Return in a few words how an answer came out.

    >>> verdict(Said("{", broke=1, why="unclosed")).plain, verdict(Said("{}", right=False)).plain
    ('not valid: unclosed', 'valid, but not what the prompt says')
    """
    if said.why:
        return Text(f"not valid: {said.why}", "bold red")
    if said.right is None:
        return Text("valid", "bold green")
    if said.right:
        return Text("valid, and says what the prompt says", "bold green")
    return Text("valid, but not what the prompt says", "bold yellow")


def judged(said: Said, width: int, encoding: str, *, form: bool = True) -> list[Text]:
    """Return an answer's lines with the verdict below; without a form there is nothing to judge."""
    lines = fold(said.text, width, encoding, said.broke) if said.text else [Text("(nothing)", "dim")]
    if not form:
        return lines
    detail = wrap(said.detail, width, encoding)
    more = ["..."] if len(detail) > _DETAIL else []
    found = verdict(said)
    words = [Text(line, found.style) for line in wrap(found.plain, width, encoding)]
    return [*lines, *words, *(Text(line, "dim") for line in [*detail[:_DETAIL], *more])]


def side_by_side(headings: Sequence[str], columns: Sequence[Sequence[Text]], width: int) -> Table:
    """Return columns of lines under their headings."""
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for heading in headings:
        table.add_column(heading, width=width, no_wrap=True, overflow="crop")
    table.add_row(*(Text(heading, "bold") for heading in headings))
    table.add_row(*(Text("\n").join(column) for column in columns))
    return table
