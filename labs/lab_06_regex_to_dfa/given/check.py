"""The front door: a pattern that Python's ``re`` refuses is refused here, with re's words and place."""

import re
import warnings

from labkit.automata.work import spend
from labkit.errors import InvalidPattern, LimitExceeded

MAX_PATTERN = 200_000
"""The most characters that a pattern may have."""

MAX_DEPTH = 100
"""How deep groups may be nested."""


def check_pattern(pattern: str, *, ascii_only: bool) -> None:
    """Pass a pattern that ``re`` compiles; its dialect is the running Python's.

    Raises:
        TypeError: if it is no text.
        InvalidPattern: with the complaint and the place of ``re``.
        LimitExceeded: if it is longer than ``MAX_PATTERN`` characters, or nested so deep that ``re`` gives up.

    >>> check_pattern("(a", ascii_only=False)
    Traceback (most recent call last):
    labkit.errors.InvalidPattern: missing ), unterminated subpattern, at position 0 of '(a'
        (a
        ^
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a text, not {type(pattern).__name__}: {pattern!r:.80}")
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    spend(4 * len(pattern))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern, re.ASCII if ascii_only else 0)
    except re.error as error:
        raise InvalidPattern(error.msg, pattern, error.pos or 0) from None
    except (OverflowError, ValueError) as error:  # a count beyond its limit; (?u) in a pattern that is to be ASCII
        raise InvalidPattern(str(error), pattern, 0) from None
    except RecursionError:
        raise LimitExceeded("the groups of the pattern are nested too deep", MAX_DEPTH) from None
