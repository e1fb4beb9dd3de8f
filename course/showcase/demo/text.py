"""Texts that a model wrote, made fit for a terminal: escaped, folded to a width, marked where they broke."""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text


def can_print(console: Console, text: str) -> bool:
    """Return whether a console's encoding has all of a text."""
    try:
        text.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def visible(char: str, encoding: str) -> str:
    """Return a character as it can be shown: escaped if it moves the cursor, or if the encoding lacks it.

    >>> visible("é", "utf-8"), visible("é", "ascii"), visible(chr(27), "utf-8")
    ('é', '\\\\xe9', '\\\\x1b')
    """
    try:
        char.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return char.encode("ascii", "backslashreplace").decode()
    return char if char.isprintable() else char.encode("unicode_escape").decode()


def printable(text: str, width: int) -> str:
    """Return a text on one line, control characters escaped, cut to a width.

    >>> printable("a\\nb", 9)
    'a\\\\nb'
    """
    shown = "".join(visible(char, "utf-8") for char in text)
    return shown if len(shown) <= width else shown[: width - 3] + "..."


def fold(text: str, width: int, encoding: str, broke: int | None = None) -> list[Text]:
    """Return a text in lines of at most ``width`` cells; below the line where it broke, one with a caret.

    >>> [line.plain for line in fold('{"a": oops}', 9, "utf-8", broke=6)]
    ['{"a": oo', '      ^', 'ps}']
    """
    lines, column, caret = [Text()], 0, None
    for place, char in enumerate(text):
        shown = "" if char == "\n" else visible(char, encoding)
        size = cell_len(shown)
        if column + size > width - 1:  # the last cell is kept free for a caret after a full line
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
        lines.insert(caret[0], _caret(caret[1], width, "ends here" if broke == len(text) else "breaks here"))
    return lines


def _caret(column: int, width: int, words: str) -> Text:
    """Return a caret in this column, with its meaning beside it where there is room."""
    if column + 2 + len(words) <= width:
        return Text(" " * column + f"^ {words}", "bold red")
    before = f"{words} " if column > len(words) else ""
    return Text(f"{before}^".rjust(column + 1), "bold red")


def wrap(text: str, width: int, encoding: str) -> list[str]:
    """Return a text in lines of at most ``width`` cells, broken between words where possible.

    >>> wrap("three small words", 11, "utf-8")
    ['three small', 'words']
    """
    shown = "\n".join("".join(visible(char, encoding) for char in line) for line in text.split("\n"))
    return [line.plain.rstrip() for line in Text(shown).wrap(Console(), width, overflow="fold")] if text else []
