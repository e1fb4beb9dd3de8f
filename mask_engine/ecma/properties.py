r"""Unicode's general categories (``\p{Lu}`` and the like) and ECMA-262's white space, from Python's tables."""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from labkit.automata.syntax import LAST_CODE_POINT, Ranges

_NAMES = """L Letter; LC Cased_Letter; Lu Uppercase_Letter; Ll Lowercase_Letter; Lt Titlecase_Letter;
Lm Modifier_Letter; Lo Other_Letter; M Mark Combining_Mark; Mn Nonspacing_Mark; Mc Spacing_Mark; Me Enclosing_Mark;
N Number; Nd Decimal_Number digit; Nl Letter_Number; No Other_Number; P Punctuation punct; Pc Connector_Punctuation;
Pd Dash_Punctuation; Ps Open_Punctuation; Pe Close_Punctuation; Pi Initial_Punctuation; Pf Final_Punctuation;
Po Other_Punctuation; S Symbol; Sm Math_Symbol; Sc Currency_Symbol; Sk Modifier_Symbol; So Other_Symbol; Z Separator;
Zs Space_Separator; Zl Line_Separator; Zp Paragraph_Separator; C Other; Cc Control cntrl; Cf Format; Cs Surrogate;
Co Private_Use; Cn Unassigned"""

_CATEGORY = {name: names.split()[0] for names in _NAMES.split(";") for name in names.split()}
"""The short name of a category, by each of its names."""

_CASED = ("Lu", "Ll", "Lt")


def property_ranges(name: str) -> Ranges | None:
    r"""Return the code points with a property, by its name in ``\p{...}``; None if it is not covered.

    Covered are the general categories under all their names, with or without ``General_Category=`` or ``gc=`` before
    them, and ``Any``, ``ASCII`` and ``Assigned``. Names are case sensitive, as in ECMA-262.

    >>> property_ranges("Zl"), property_ranges("gc=Line_Separator"), property_ranges("Greek")
    (((8232, 8232),), ((8232, 8232),), None)
    """
    match name:
        case "Any":
            return ((0, LAST_CODE_POINT),)
        case "ASCII":
            return ((0, 0x7F),)
        case "Assigned":
            return _runs(_categories() != "Cn")
    key, _, value = name.rpartition("=")
    if key not in ("", "gc", "General_Category") or value not in _CATEGORY:
        return None
    return _category_ranges(_CATEGORY[value])


@cache
def white_space() -> Ranges:
    r"""Return what ``\s`` matches: white space and line ends, without U+0085, and with the byte order mark.

    >>> [hex(first) for first, _ in white_space()]
    ['0x9', '0x20', '0xa0', '0x1680', '0x2000', '0x2028', '0x202f', '0x205f', '0x3000', '0xfeff']
    """
    held = np.array([unicodedata.category(chr(code_point)) == "Zs" for code_point in range(0x10000)])
    held[[9, 10, 11, 12, 13, 0x2028, 0x2029, 0xFEFF]] = True
    return _runs(held)


@cache
def _category_ranges(short: str) -> Ranges:
    """Return one category, or all that start with a letter; LC means three."""
    if short == "LC":
        return _runs(np.isin(_categories(), _CASED))
    return _runs(np.char.startswith(_categories(), short))


@cache
def _categories() -> NDArray[np.str_]:
    """Return the category of every code point."""
    return np.array([unicodedata.category(chr(code_point)) for code_point in range(LAST_CODE_POINT + 1)])


def _runs(held: NDArray[np.bool_]) -> Ranges:
    """Return the ranges in which an array is true."""
    edges = np.flatnonzero(np.diff(held.astype(np.int8), prepend=0, append=0))
    return tuple((first, end - 1) for first, end in edges.reshape(-1, 2).tolist())
