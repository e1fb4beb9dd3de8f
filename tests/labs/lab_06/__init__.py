"""Tests of lab 06's given code."""


def listed(table: str) -> list[str]:
    """Return the patterns of a table, separated by white space."""
    return table.split()
