"""Scores without a clock: counts of what a student's file does, the same on every computer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Count:
    """One line of ``python3 -m course score``; a lab's ``score.py`` has a function ``counts`` that yields them.

    Args:
        what: what is counted.
        yours: the count of the file under test.
        other: a count to compare it with.
        of_other: what that is: the fewest possible, all there are, or what a simpler method takes.
        picture: drawn when one lab is asked for; empty if there is none.

    >>> count = Count("bytes moved", 24_000, 12_000, "the least")
    >>> f"{count.yours / count.other:.0f} times {count.of_other}"
    '2 times the least'
    """

    what: str
    yours: int
    other: int
    of_other: str
    picture: str = ""
