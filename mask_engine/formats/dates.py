"""Dates, times and durations of RFC 3339.

A calendar is a regular language: the months have their days, and 29 February exists only in leap years.
"""

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from mask_engine.operations import difference

_BY_FOUR = "([02468][048]|[13579][26])"
"""Two digits that are a multiple of four, 00 included."""

_LEAP_YEAR = f"([0-9]{{2}}(0[48]|[2468][048]|[13579][26])|{_BY_FOUR}00)"
_DAY_OF_YEAR = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
_DATE = f"([0-9]{{4}}-{_DAY_OF_YEAR}|{_LEAP_YEAR}-02-29)"
_YEAR_ZERO = "0000(?s:.)*"
"""There is a year 0000 in RFC 3339, and none in the calendars of most languages."""

_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = rf"{_CLOCK}:[0-5][0-9](\.[0-9]+)?([zZ]|[+-]{_CLOCK})"
"""A time with its offset; no leap second."""

_SECONDS = "[0-9]+S"
_MINUTES = f"[0-9]+M({_SECONDS})?"
_HOURS = f"[0-9]+H({_MINUTES})?"
_CLOCK_PART = f"T({_HOURS}|{_MINUTES}|{_SECONDS})"
_DAYS = "[0-9]+D"
_MONTHS = f"[0-9]+M({_DAYS})?"
_YEARS = f"[0-9]+Y({_MONTHS})?"
DURATION = f"P(({_YEARS}|{_MONTHS}|{_DAYS})({_CLOCK_PART})?|{_CLOCK_PART}|[0-9]+W)"
"""A duration, by appendix A: no unit between two others may be missing, and weeks occur alone."""


def date_automaton() -> Dfa:
    """Dates from 0001-01-01 to 9999-12-31.

    >>> len(date_automaton())
    32
    """
    return difference(compile_dfa(_DATE), compile_dfa(_YEAR_ZERO))


def date_time_automaton() -> Dfa:
    """Return a date, a ``T`` and a time with its offset. Both letters may be small.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> fullmatch(date_time_automaton(), "2024-02-29T12:30:00.5Z")
    True
    """
    return difference(compile_dfa(f"{_DATE}[tT]{TIME}"), compile_dfa(_YEAR_ZERO))
