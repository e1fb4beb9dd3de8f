r"""What ``\d``, ``\w``, ``\s`` and case mean: the answers of the running Python's own ``re``, asked once and kept.

No table is committed: another Python may carry another Unicode.
"""

import re
from functools import cache

import numpy as np

from labkit.syntax import LAST_CODE_POINT, Ranges


@cache
def _every_character() -> str:
    """All code points as one text, surrogates included: place i holds code point i."""
    return np.arange(LAST_CODE_POINT + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


@cache
def shorthand(letter: str, *, ascii_only: bool) -> Ranges:
    r"""The code points of ``\d``, ``\w``, ``\s`` or one of their negations, as canonical ranges.

    >>> shorthand("d", ascii_only=True)
    ((48, 57),)
    >>> shorthand("d", ascii_only=False)[:2]
    ((48, 57), (1632, 1641))
    """
    runs = re.compile(rf"\{letter}+", re.ASCII if ascii_only else 0).finditer(_every_character())
    return tuple((run.start(), run.end() - 1) for run in runs)


@cache
def _cased() -> str:
    """The characters that some other character equals when case is ignored: those with a lower or an upper form."""
    return "".join(char for char in _every_character() if char.lower() != char or char.upper() != char)


@cache
def variants(source: str, *, ascii_only: bool) -> Ranges:
    """What a one-character pattern matches in addition when case is ignored, as far as characters with case go.

    ``re`` itself is asked about each of them, so its odd pairs are all there: the Kelvin sign is a ``k``.

    >>> [hex(first) for first, _ in variants("k", ascii_only=False)]
    ['0x4b', '0x6b', '0x212a']
    """
    compiled = re.compile(source, re.IGNORECASE | (re.ASCII if ascii_only else 0))
    return tuple((ord(char), ord(char)) for char in compiled.findall(_cased()))
