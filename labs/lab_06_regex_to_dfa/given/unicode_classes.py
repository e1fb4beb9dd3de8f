r"""What ``\d``, ``\w``, ``\s`` and case mean: the answers of the running Python's own ``re``, asked once and kept.

No table is committed: another Python may carry another Unicode.
"""

import re
import warnings
from collections.abc import Iterable
from functools import cache

import numpy as np

from labkit.automata.syntax import LAST_CODE_POINT, Ranges


@cache
def _every_character() -> str:
    """Return all code points as one text, surrogates included: place i holds code point i."""
    return np.arange(LAST_CODE_POINT + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


@cache
def shorthand(letter: str, *, ascii_only: bool) -> Ranges:
    r"""Return the code points of ``\d``, ``\w``, ``\s`` or one of their negations, as canonical ranges.

    >>> shorthand("d", ascii_only=True)
    ((48, 57),)
    >>> shorthand("d", ascii_only=False)[:2]
    ((48, 57), (1632, 1641))
    """
    runs = re.compile(rf"\{letter}+", re.ASCII if ascii_only else 0).finditer(_every_character())
    return tuple((run.start(), run.end() - 1) for run in runs)


@cache
def _cased() -> str:
    """Return the characters that have a lower or an upper form."""
    return "".join(char for char in _every_character() if char.lower() != char or char.upper() != char)


@cache
def case_changes(source: str, *, ascii_only: bool) -> tuple[Ranges, Ranges]:
    """Return what a one-character pattern matches in addition when case is ignored, and what it no longer matches.

    ``re`` itself is asked about each character that has a case, so its odd pairs are all there: the Kelvin sign is a
    ``k``. The second part is empty but for an oddity: in a class, ``re`` forgets capitals beyond U+FFFF.

    >>> added, dropped = case_changes("k", ascii_only=False)
    >>> [hex(first) for first, _ in added], dropped
    (['0x4b', '0x212a'], ())
    """
    base = re.ASCII if ascii_only else 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact, caseless = (set(re.findall(source, _cased(), base | flag)) for flag in (0, re.IGNORECASE))
    return _singles(caseless - exact), _singles(exact - caseless)


def _singles(chars: Iterable[str]) -> Ranges:
    """Return each character as a range of its own, ascending."""
    return tuple((ord(char), ord(char)) for char in sorted(chars))
