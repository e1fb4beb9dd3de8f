"""Integers between two bounds as trees: numbers of one length are compared digit by digit."""

from labkit.automata.syntax import Chars
from mask_engine.patterns.lazy import Tree
from mask_engine.trees.pieces import EMPTY, char, choice, row, times


def between(low: int | None, high: int | None) -> Tree:
    """Return the tree of the integers between two bounds, both included, in canonical form.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch, nfa_to_dfa
    >>> dfa = nfa_to_dfa(LazyDfa(between(-12, None)))
    >>> [text for text in ["-13", "-12", "-1", "-0", "0", "07", "70"] if fullmatch(dfa, text)]
    ['-12', '-1', '0', '70']
    """
    options = []
    if high is None or high >= 0:
        options.append(_magnitudes(max(low or 0, 0), high))
    if low is None or low < 0:
        options.append(row(char("-"), _magnitudes(max(-high if high is not None else 1, 1), low and -low)))
    return choice([option for option in options if low is None or high is None or low <= high])


def _magnitudes(low: int, high: int | None) -> Tree:
    """Return the tree of the digits of the numbers between two that are not negative; without a limit if there is none.

    Numbers of one length are compared digit by digit.
    """
    first, last = str(low), str(high) if high is not None else None
    longest = len(last) if last is not None else len(first)
    options = []
    for length in range(len(first), longest + 1):
        start = first if length == len(first) else "1" + "0" * (length - 1)
        end = last if last is not None and length == len(last) else "9" * length
        options.append(_digits(start, end))
    if last is None:
        options.append(row(_digit("1", "9"), times(_digit("0", "9"), longest, None)))
    return choice(options)


def _digits(start: str, end: str) -> Tree:
    """Return the tree of the digits from one text to another of the same length."""
    if not start:
        return EMPTY
    if start[0] == end[0]:
        return row(_digit(start[0], start[0]), _digits(start[1:], end[1:]))
    rest = len(start) - 1
    zeros, nines = "0" * rest, "9" * rest
    options = []
    low, high = int(start[0]), int(end[0])
    if start[1:] != zeros:
        options.append(row(_digit(start[0], start[0]), _digits(start[1:], nines)))
        low += 1
    if end[1:] != nines:
        options.append(row(_digit(end[0], end[0]), _digits(zeros, end[1:])))
        high -= 1
    if low <= high:
        middle = _digit(str(low), str(high))
        options.append(row(middle, times(_digit("0", "9"), rest, rest)))
    return choice(options)


def _digit(first: str, last: str) -> Tree:
    return Chars(((ord(first), ord(last)),))
