"""Two answers side by side, each folded to its column, with a caret where it broke."""

from collections.abc import Sequence

from rich.cells import cell_len, chop_cells
from rich.table import Table
from rich.text import Text

from course.showcase.demo.results import Said

WIDEST = 58
"""The most cells of a column, on terminals however wide."""

_GAP = 2
_DETAIL = 2
"""Lines that the judge's sentence may take."""


def column_width(width: int) -> int:
    """Cells of each of two columns on a terminal of so many.

    >>> column_width(80), column_width(300)
    (38, 58)
    """
    return max(8, min(WIDEST, (width - 2 - _GAP) // 2))


def visible(char: str, encoding: str) -> str:
    """A character as it can be shown; escaped if it moves the cursor, or if the encoding lacks it.

    >>> visible("é", "utf-8"), visible("é", "ascii"), visible(chr(27), "utf-8")
    ('é', '\\\\xe9', '\\\\x1b')
    """
    try:
        char.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return char.encode("ascii", "backslashreplace").decode()
    return char if char.isprintable() else char.encode("unicode_escape").decode()


def fold(text: str, width: int, encoding: str, broke: int | None = None) -> list[Text]:
    """A text in lines of so many cells; below the line where it broke, one with a caret.

    >>> [line.plain for line in fold('{"a": oops}', 9, "utf-8", broke=6)]
    ['{"a": oo', '      ^', 'ps}']
    """
    lines, column, caret = [Text()], 0, None
    for place, char in enumerate(text):
        shown = "" if char == "\n" else visible(char, encoding)
        size = cell_len(shown)
        if column + size > width - 1:  # the last cell is the caret's, behind a full line
            lines, column = [*lines, Text()], 0
        if place == broke:
            caret = (len(lines), column)
        lines[-1].append(shown, "red" if broke is not None and place >= broke else None)
        column += size
        if char == "\n":
            lines, column = [*lines, Text()], 0
    if broke == len(text):
        caret = (len(lines), column)
    if caret:
        lines.insert(caret[0], _caret(caret[1], width, ends=broke == len(text)))
    return lines


def _caret(column: int, width: int, *, ends: bool) -> Text:
    """A caret in this column, and beside it what it means, where there is room."""
    words = "ends here" if ends else "breaks here"
    if column + 2 + len(words) <= width:
        return Text(" " * column + f"^ {words}", "bold red")
    if column > len(words):
        return Text(f"{words} ^".rjust(column + 1), "bold red")
    return Text(" " * column + "^", "bold red")


def verdict(said: Said) -> Text:
    """What became of an answer, in a few words.

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
    """An answer, and below it the verdict; without a form there is nothing to judge."""
    lines = fold(said.text, width, encoding, said.broke) if said.text else [Text("(nothing)", "dim")]
    if not form:
        return lines
    detail = wrap(said.detail, width, encoding)
    more = ["..."] if len(detail) > _DETAIL else []
    found = verdict(said)
    words = [Text(line, found.style) for line in wrap(found.plain, width, encoding)]
    return [*lines, *words, *(Text(line, "dim") for line in [*detail[:_DETAIL], *more])]


def wrap(text: str, width: int, encoding: str) -> list[str]:
    """A text in lines of so many cells, broken between words where one ends in time.

    >>> wrap("three small words", 11, "utf-8")
    ['three small', 'words']
    """
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            shown = "".join(visible(char, encoding) for char in word)
            if line and cell_len(line) + 1 + cell_len(shown) > width:
                lines, line = [*lines, line], ""
            *full, last = chop_cells(f"{line} {shown}" if line else shown, width) or [""]
            lines, line = [*lines, *full], last
        lines.append(line)
    return lines if text else []


def side_by_side(headings: Sequence[str], columns: Sequence[Sequence[Text]], width: int) -> Table:
    """Columns of lines under their headings."""
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for heading in headings:
        table.add_column(heading, width=width, no_wrap=True, overflow="crop")
    table.add_row(*(Text(heading, "bold") for heading in headings))
    table.add_row(*(Text("\n").join(column) for column in columns))
    return table
