"""Trees of the integers between two bounds."""

from labkit.automata.syntax import Node
from labkit.automata.trees import EMPTY, NOTHING, char, chars, choice, row, times


def digits_between(first: str, last: str) -> Node:
    """Return the tree of the digits from ``first`` to ``last``, which have equally many.

    Numbers with equally many digits compare digit by digit, as words in a dictionary do. From 138 to 250 that's a 1 and
    then 38 to 99, or a 2 and then 00 to 50. Whatever digit is between the two first ones leaves the others free.

    Args:
        first, last: digits, zeros at the start included; ``first`` isn't greater than ``last``.

    Returns:
        A tree. It grows with the number of digits, not with the number of integers.

    >>> from labkit.automata.trees import regex_of
    >>> print(regex_of(digits_between("138", "250")))
    (?:1(?:3[89]|[4-9][0-9])|2(?:50|[0-4][0-9]))
    """
    if not first:
        return EMPTY
    low, high, zeros, nines = first[0], last[0], "0" * (len(first) - 1), "9" * (len(first) - 1)
    if low == high:
        return row(char(low), digits_between(first[1:], last[1:]))
    options = []
    # The two ends bind the digits after them. Without a bound there, they're as free as the digits in between.
    if first[1:] != zeros:
        options.append(row(char(low), digits_between(first[1:], nines)))
        low = chr(ord(low) + 1)
    if last[1:] != nines:
        options.append(row(char(high), digits_between(zeros, last[1:])))
        high = chr(ord(high) - 1)
    if low <= high:
        free = times(chars("0", "9"), len(zeros), len(zeros))
        options.append(row(chars(low, high), free) if zeros else chars(low, high))
    return choice(options)


def without_sign(low: int, high: int | None) -> Node:
    """Return the tree of the integers from ``low``, at least 0, to ``high``: for each number of digits one.

    >>> from labkit.automata.trees import regex_of
    >>> print(regex_of(without_sign(7, 12)), regex_of(without_sign(10, None)))
    (?:[7-9]|1[0-2]) (?:[1-9][0-9]|[1-9][0-9]{2,})
    """
    first, last = str(low), None if high is None else str(high)
    lengths = range(len(first), len(last or first) + 1)
    starts = [first if length == len(first) else "1" + "0" * (length - 1) for length in lengths]
    ends = [last if last and length == len(last) else "9" * length for length in lengths]
    options = [digits_between(*ends_of) for ends_of in zip(starts, ends, strict=True)]
    if last is None:
        options.append(row(chars("1", "9"), times(chars("0", "9"), len(first), None)))
    return choice(options)


def integer_between(low: int | None, high: int | None) -> Node:
    """Return the tree of the integers from ``low`` to ``high``, written as ``number_tree`` writes them.

    Args:
        low, high: any integers; None for no bound.

    Returns:
        A tree; ``NOTHING`` if ``high`` is less than ``low``.

    >>> import re
    >>> from labkit.automata.trees import regex_of
    >>> pattern = regex_of(integer_between(-3, 12))
    >>> [n for n in range(-20, 20) if re.fullmatch(pattern, str(n))] == list(range(-3, 13)), re.fullmatch(pattern, "-0")
    (True, None)
    """
    if low is not None and high is not None and high < low:
        return NOTHING
    options = []
    if high is None or high >= 0:
        options.append(without_sign(max(low or 0, 0), high))
    if low is None or low < 0:
        # After a minus sign the bounds change places, and zero has no sign: -12 is less than -3.
        options.append(
            row(char("-"), without_sign(1 if high is None else max(-high, 1), None if low is None else -low))
        )
    return choice(options)
