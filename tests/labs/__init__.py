"""Tests of the labs' given code; and tables of patterns, in the form in which these tests have them."""


def listed(table: str) -> list[str]:
    """Return the patterns or texts of a table, separated by white space."""
    return table.split()


def marked(table: str) -> list[tuple[str, int]]:
    """Return the patterns of a table in which each has a mark at a place, ``¦``: the pattern without it, the place."""
    return [(each.replace("¦", ""), each.index("¦")) for each in listed(table)]
