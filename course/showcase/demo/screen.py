"""Texts that a model wrote on a terminal: escaped, folded, marked where they broke, and two of them side by side."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from course.student.core.trace import visible
from labkit.pictures.palette import TERMINAL

PACE = 0.008
"""Seconds to wait after each token on a terminal, so that a person can follow."""

WIDEST = 58
"""The most cells of a column, on terminals however wide."""

_GAP = 2
_DETAIL = 2
"""Lines that the judge's sentence may take."""


# One text -----------------------------------------------------------------------------------------------


def printable(text: str, encoding: str) -> str:
    """Return a text as it can be shown: characters escaped that move the cursor, or that the encoding lacks.

    >>> printable("é", "utf-8"), printable("é", "ascii"), printable(chr(27), "utf-8")
    ('é', '\\\\xe9', '\\\\x1b')
    """
    return visible(text).encode(encoding, "backslashreplace").decode(encoding)


def fold(text: str, width: int, encoding: str, broke: int | None = None) -> list[Text]:
    """Return a text in lines of at most ``width`` cells; below the line where it broke, one with a caret.

    Words stay whole where they fit on a line.

    >>> [line.plain for line in fold('{"a": oops}', 9, "utf-8", broke=6)]
    ['{"a": ', 'oops}', '^']
    """
    cells: list[list[tuple[int, str]]] = [[]]  # of each line: the place in the text, and what is shown of it
    for place, char in enumerate(text):
        shown = "" if char == "\n" else printable(char, encoding)
        if sum(cell_len(each) for _, each in cells[-1]) + cell_len(shown) > width - 1:  # one cell is left to a caret
            start = max((k + 1 for k, (_, each) in enumerate(cells[-1]) if each == " "), default=0)
            word = cells[-1][start:] if start and char != " " else []
            cells[-1:] = [cells[-1][: len(cells[-1]) - len(word)], word]
        cells[-1].append((place, shown))
        if char == "\n":
            cells.append([])
    lines = []
    for line in cells:
        lines.append(Text())
        for place, shown in line:
            lines[-1].append(shown, TERMINAL["struck"] if broke is not None and place >= broke else None)
    if broke is not None:
        row = next((k for k, line in enumerate(cells) if any(place == broke for place, _ in line)), len(cells) - 1)
        column = sum(cell_len(shown) for place, shown in cells[row] if place < broke)
        words = "ends here" if broke == len(text) else "breaks here"
        # The caret's meaning stands beside it where there is room, on the right or else on the left.
        if column + 2 + len(words) <= width:
            mark = f"{' ' * column}^ {words}"
        else:
            mark = f"{words + ' ' if column > len(words) else ''}^".rjust(column + 1)
        lines.insert(row + 1, Text(mark, f"bold {TERMINAL['struck']}"))
    return lines


def wrap(text: str, width: int, encoding: str) -> list[str]:
    """Return a text in lines of at most ``width`` cells, broken between words where possible.

    >>> wrap("three small words", 11, "utf-8")
    ['three small', 'words']
    """
    shown = Text("\n".join(printable(line, encoding) for line in text.split("\n")))
    return [line.plain.rstrip() for line in shown.wrap(Console(), width, overflow="fold")] if text else []


# Two answers --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """One answer of the small model, with the names of special tokens in it, judged.

    ``broke`` counts the characters before the first token that the mask forbids: all of them where the answer only ends
    too early, and None where it is valid. ``why`` is the judge's reason, empty where it is valid, and ``detail`` its
    explanation in a sentence. ``right`` is whether it says what the prompt says, and None where that is unknown.
    """

    text: str
    broke: int | None = None
    why: str = ""
    detail: str = ""
    right: bool | None = None


OnText = Callable[[int, str], object]
"""``on_text(side, text so far)``; side 0 is the free answer."""

Play = Callable[[OnText], Sequence[Said]]
"""Writes the free answer and, where there is a form, the masked one."""


def watch(console: Console, checkpoint: str, prompt: str, asked: str, play: Play, pace: float = PACE) -> None:
    """Show the prompt, then the answers while they are written, then the verdicts.

    Args:
        asked: the form in words; empty where no form is asked for.
        pace: seconds to wait after each token, on a terminal alone.
    """
    width = min(console.width, 2 * column_width(console.width) + 4)
    for label, text in {"prompt": prompt or "(nothing)", "asked for": asked}.items():
        for number, line in enumerate(wrap(text, max(8, width - 11), console.encoding)):
            head = Text(f"{label if not number else '':11}", "dim")
            console.print(head.append(line, "not dim bold" if label == "prompt" else "not dim"))
    console.print(Text(f"{'model':11}checkpoint {checkpoint}", "dim"))
    form, texts = bool(asked), ["", ""] if asked else [""]

    def finished(answers: Sequence[Said]) -> Padding:
        width = column_width(console.width)
        return side_by_side([judged(said, width, console.encoding, form=form) for said in answers], width)

    def on_text(side: int, text: str) -> None:
        texts[side] = text
        width = column_width(console.width)
        live.update(side_by_side([fold(text, width, console.encoding) for text in texts], width), refresh=True)
        time.sleep(pace)

    if not console.is_terminal or console.is_dumb_terminal:
        console.print(finished(play(lambda side, text: None)), soft_wrap=False)
    else:
        with Live(console=console, auto_refresh=False) as live:
            live.update(finished(play(on_text)), refresh=True)
    console.print()


def column_width(width: int) -> int:
    """Return the cells of each of two columns on a terminal of this width.

    >>> column_width(80), column_width(300)
    (38, 58)
    """
    return max(8, min(WIDEST, (width - 2 - _GAP) // 2))


def side_by_side(columns: Sequence[Sequence[Text]], width: int) -> Padding:
    """Return the lines of the free answer, and of the masked one where there is one, under their headings."""
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for _ in columns:
        table.add_column(width=width, no_wrap=True, overflow="crop")
    table.add_row(*(Text(heading, "bold") for heading in ["without a mask", "with the mask"][: len(columns)]))
    table.add_row(*(Text("\n").join(column) for column in columns))
    return Padding(table, (0, 0, 0, 2))


def verdict(said: Said) -> Text:
    """Return in a few words how an answer came out.

    >>> verdict(Said("{", broke=1, why="unclosed")).plain, verdict(Said("{}", right=False)).plain
    ('not valid: unclosed', 'valid, but not what the prompt says')
    """
    if said.why:
        return Text(f"not valid: {said.why}", "bold red")
    says = {None: "", True: ", and says what the prompt says", False: ", but not what the prompt says"}[said.right]
    return Text(f"valid{says}", "bold yellow" if said.right is False else "bold green")


def judged(said: Said, width: int, encoding: str, *, form: bool = True) -> list[Text]:
    """Return an answer's lines with the verdict below; without a form there is nothing to judge."""
    lines = fold(said.text, width, encoding, said.broke) if said.text else [Text("(nothing)", "dim")]
    if not form:
        return lines
    found, detail = verdict(said), wrap(said.detail, width, encoding)
    if len(detail) > _DETAIL:
        detail[_DETAIL:] = ["..."]
    words = [Text(line, found.style) for line in wrap(found.plain, width, encoding)]
    return [*lines, *words, *(Text(line, "dim") for line in detail)]
