"""Tests of the labs' given code; and tables: of patterns as these tests have them, and of the labs' pages."""

import re
from itertools import takewhile


def listed(table: str) -> list[str]:
    """Return the patterns or texts of a table, separated by white space."""
    return table.split()


def marked(table: str) -> list[tuple[str, int]]:
    """Return the patterns of a table in which each has a mark at a place, ``¦``: the pattern without it, the place."""
    return [(each.replace("¦", ""), each.index("¦")) for each in listed(table)]


def table(heading: str, page: str) -> list[list[str]]:
    """Return the rows below the first row that begins so, as lists of cells; a bar in a cell has a backslash."""
    rows = takewhile(lambda line: line.startswith("|"), page[page.index(heading) :].splitlines()[2:])
    return [[cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
