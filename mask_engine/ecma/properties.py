r"""Unicode's general categories (``\p{Lu}`` and the like) and ECMA-262's white space."""

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

WHITE_SPACE: Ranges = (
    *((9, 13), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F)),
    *((0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
r"""What ``\s`` matches: white space and line ends, without U+0085, and with the byte order mark."""


@cache
def property_ranges(name: str) -> Ranges | None:
    r"""Return the code points with a property, by its name in ``\p{...}``; None if it is not covered.

    Covered are the general categories under all their names, with or without ``General_Category=`` or ``gc=`` before
    them, and ``Any``, ``ASCII`` and ``Assigned``. Names are case sensitive, as in ECMA-262.

    >>> property_ranges("Zl"), property_ranges("gc=Line_Separator"), property_ranges("Greek")  # scripts aren't covered
    (((8232, 8232),), ((8232, 8232),), None)
    """
    if name in ("Any", "ASCII"):
        return ((0, 0x7F if name == "ASCII" else LAST_CODE_POINT),)
    key, _, value = name.rpartition("=")
    if name == "Assigned":
        held = _categories() != "Cn"
    elif key not in ("", "gc", "General_Category") or value not in _CATEGORY:
        return None
    elif _CATEGORY[value] == "LC":
        held = np.isin(_categories(), ("Lu", "Ll", "Lt"))
    else:
        held = np.char.startswith(_categories(), _CATEGORY[value])
    edges = np.flatnonzero(np.diff(held.astype(np.int8), prepend=0, append=0))
    return tuple((first, end - 1) for first, end in edges.reshape(-1, 2).tolist())


@cache
def _categories() -> NDArray[np.str_]:
    """Return the category of every code point."""
    return np.array([unicodedata.category(chr(code_point)) for code_point in range(LAST_CODE_POINT + 1)])
