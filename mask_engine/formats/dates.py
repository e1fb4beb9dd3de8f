"""Dates, times and durations of RFC 3339.

A calendar is a regular language: the months have their days, and 29 February exists only in leap years.
"""

_BY_FOUR = "0[48]|[2468][048]|[13579][26]"
"""Two digits that are a multiple of four, without 00. There is a year 0000 in RFC 3339, and none in the calendars of
most languages."""

_YEAR = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_LEAP_YEAR = f"([0-9]{{2}}({_BY_FOUR})|({_BY_FOUR})00)"
_DAY_OF_YEAR = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
DATE = f"({_YEAR}-{_DAY_OF_YEAR}|{_LEAP_YEAR}-02-29)"
"""A date from 0001-01-01 to 9999-12-31."""

_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
TIME = rf"{_CLOCK}:[0-5][0-9](\.[0-9]+)?([zZ]|[+-]{_CLOCK})"
"""A time with its offset; no leap second."""

DATE_TIME = f"{DATE}[tT]{TIME}"

_SECONDS = "[0-9]+S"
_MINUTES = f"[0-9]+M({_SECONDS})?"
_HOURS = f"[0-9]+H({_MINUTES})?"
_CLOCK_PART = f"T({_HOURS}|{_MINUTES}|{_SECONDS})"
_DAYS = "[0-9]+D"
_MONTHS = f"[0-9]+M({_DAYS})?"
_YEARS = f"[0-9]+Y({_MONTHS})?"
DURATION = f"P(({_YEARS}|{_MONTHS}|{_DAYS})({_CLOCK_PART})?|{_CLOCK_PART}|[0-9]+W)"
"""A duration, by appendix A: no unit between two others may be missing, and weeks occur alone."""
