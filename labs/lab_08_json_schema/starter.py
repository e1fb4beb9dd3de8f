# Your file for lab 08. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  LAB_IMPL=starter pytest labs/lab_08_json_schema
#             (or:  python -m course test 08)
# Stuck on TODO 1:  python -m course hint 08.1
# The README beside this file explains the idea.

r"""Lab 08: from a JSON Schema to a regular expression for its values.

The values of a schema without recursion are a regular language of texts, so everything since lab 06 works for them: a
regular expression, an automaton, masks. What must be right is JSON itself: a string is not any text between two
quotes, a comma stands between two members and nowhere else, ``01`` is no number. The keys of an object are written in
the order of the schema. What this leaves out, and ``given/`` carries: references, ``anyOf``, bounds, patterns, formats
and more.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace, policy
from labs.lab_08_json_schema.given.reading.pointers import below
from labs.lab_08_json_schema.given.reading.subset import check_subset
from labs.lab_08_json_schema.given.reading.values import has_type

NOTHING = r"[^\x00-\U0010ffff]"
"""A regular expression that matches no text at all."""

HEX = "[0-9a-fA-F]"


def character_regex() -> str:
    r"""Any one character of a JSON string, in each way in which JSON can write it.

    As itself, unless it is a quote, a backslash, a control character (below U+0020) or half a surrogate pair; by a
    short escape, which are ``\" \\ \/ \b \f \n \r \t``; or by ``\u`` and four hexadecimal digits in either case. A
    character beyond U+FFFF takes two of these, a high surrogate (D800 to DBFF) and a low one (DC00 to DFFF), and is
    still one character. Half a pair alone is none.

    Returns:
        A regular expression that is a group, so that a quantifier after it applies to all of it.

    >>> all(re.fullmatch(character_regex(), text) for text in ["a", "é", r"\"", r"\u00E9", r"\ud83d\ude00"])
    True
    >>> any(re.fullmatch(character_regex(), text) for text in ['"', "\n", "\\", r"\x41", r"\ud83d", r"\u00e"])
    False
    """
    raise NotImplementedError("lab 08, TODO 1 (about 5 lines): a character: as itself, short or long escape, or a pair")


def count_regex(least: int, most: int | None) -> str:
    """Given: the quantifier for so many, most None meaning without end.

    >>> count_regex(2, None), count_regex(0, 3)
    ('{2,}', '{0,3}')
    """
    return f"{{{least},{'' if most is None else most}}}"


def string_regex(least: int = 0, most: int | None = None) -> str:
    r"""A JSON string of ``least`` to ``most`` characters, quotes included. Characters are counted, not what they take.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``.

    >>> bool(re.fullmatch(string_regex(2, 2), r'"a\n"')), bool(re.fullmatch(string_regex(2, 2), '"a"'))
    (True, False)
    """
    raise NotImplementedError("lab 08, TODO 2 (about 3 lines): quotes, and so many characters between them")


def number_regex(*, integer: bool) -> str:
    """A JSON number, or an integer written as one writes integers.

    Args:
        integer: whether there must be neither fraction nor exponent. Then ``-0`` is refused as well: zero has no sign.

    Returns:
        A regular expression that is a group. JSON allows no leading zeros, no plus sign at the beginning, and a point
        only between digits; it allows ``-0`` as a number.

    >>> [text for text in ["0", "-7", "01", "-0", "1.0", "10"] if re.fullmatch(number_regex(integer=True), text)]
    ['0', '-7', '10']
    >>> [text for text in ["-0.50", "1e+9", "1.", ".5", "1E5"] if re.fullmatch(number_regex(integer=False), text)]
    ['-0.50', '1e+9', '1E5']
    """
    raise NotImplementedError("lab 08, TODO 3 (about 3 lines): integers, and numbers with fraction and exponent")


def spell_character(char: str) -> str:
    r"""One given character of a JSON string, in the ways in which JSON writers write it.

    A printable ASCII character stands for itself; a quote and a backslash have a backslash before them, and a slash may
    have one. A control character, below U+0020, is escaped: in the short way if there is one, or as ``\u`` and its
    hexadecimal digits in either case. Any other character, U+007F or one that is not ASCII, stands for itself or is
    escaped, beyond U+FFFF as a surrogate pair.

    Returns:
        A regular expression, a group where it has alternatives.

    >>> spell_character("a"), spell_character("é"), spell_character("\n")
    ('a', '(?:é|\\\\u00[eE]9)', '(?:\\\\n|\\\\u000[aA])')
    """
    raise NotImplementedError("lab 08, TODO 4 (about 8 lines): one given character, in every usual way to write it")


def literal_regex(value: str | int | float | bool | None) -> str:
    r"""One scalar JSON value: a string, a number, ``true``, ``false`` or ``null``.

    Returns:
        A regular expression. A string may be written in all ways of ``spell_character``, everything else as
        ``json.dumps`` writes it.

    >>> literal_regex("a+"), literal_regex(1.5), literal_regex(None)
    ('"a\\+"', '1\\.5', 'null')
    >>> bool(re.fullmatch(literal_regex('say "é"'), r'"say \"\u00e9\""'))
    True
    """
    raise NotImplementedError("lab 08, TODO 5 (about 3 lines): a string, a number, true, false or null")


def enum_regex(values: Sequence[Any]) -> str:
    """One of several scalar values.

    Returns:
        A regular expression that is a group; ``NOTHING`` if there are no values.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    raise NotImplementedError("lab 08, TODO 6 (about 1 line): one of several values, in a group")


def array_regex(item: str, least: int, most: int | None, space: Whitespace) -> str:
    """An array of ``least`` to ``most`` items.

    Args:
        item: a regular expression for one item. It may hold a ``|``: put it into a group.
        space: ``space.edge`` may follow the opening and before the closing bracket, ``space.comma`` is what
            stands between two items, its comma included. All three are regular expressions.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``. An empty array has one ``edge`` inside.

    >>> ints = array_regex("1|2", 1, 3, policy("compact"))
    >>> [text for text in ["[]", "[1]", "[1,2,1]", "[1,]", "[1,1,1,1]", "[12]"] if re.fullmatch(ints, text)]
    ['[1]', '[1,2,1]']
    """
    raise NotImplementedError("lab 08, TODO 7 (about 7 lines): a first item, and a comma with each further one")


def member_regex(key: str, value: str, space: Whitespace) -> str:
    """A member of an object: its key, a colon, and its value.

    Args:
        value: a regular expression; it may hold a ``|``.
        space: ``space.colon`` is what stands between the two, the colon included.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    raise NotImplementedError("lab 08, TODO 8 (about 1 line): key, colon, value")


def object_regex(members: Sequence[tuple[str, bool]], space: Whitespace) -> str:
    """An object whose members stand in the given order; those that are not required may be missing.

    Args:
        members: for each a regular expression and whether it is required.
        space: as for arrays; an empty object has one ``edge`` inside.

    Returns:
        A regular expression. Between two members stands one comma, whoever is missing. Its length grows with the
        square of the number of members at most, not with the number of their subsets.

    >>> some = object_regex([("a", False), ("b", True), ("c", False)], policy("compact"))
    >>> [text for text in ["{b}", "{a,b}", "{b,c}", "{a,b,c}", "{a}", "{,b}", "{ab}", "{}"] if re.fullmatch(some, text)]
    ['{b}', '{a,b}', '{b,c}', '{a,b,c}']
    """
    raise NotImplementedError("lab 08, TODO 9 (about 10 lines): a choice of who stands first, and commas after")


def json_schema_to_regex(
    schema: dict[str, Any],
    *,
    whitespace: str = "flexible",
    pointer: str = "",
    nested: Callable[[Any, str], str] | None = None,
) -> str:
    """The values of a schema, as a regular expression for their JSON texts.

    Covered: ``type`` (one of the seven), ``enum`` of scalars, ``properties`` and ``required``, ``items`` with
    ``minItems`` and ``maxItems``, ``minLength`` and ``maxLength``. Beside a type an ``enum`` keeps the values of that
    type. Keys are written in the order of ``properties``, and no others.

    Args:
        whitespace: ``"compact"`` or ``"flexible"`` (see ``given/whitespace.py``).
        pointer: where the schema stands, for errors.
        nested: given a schema within this one and the pointer to it, its regular expression; this function itself if
            None.

    Returns:
        A regular expression. It need not be a group: whoever puts it somewhere makes one.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: for every keyword that constrains and is not covered, and where any value may stand.

    >>> pattern = json_schema_to_regex({"type": "array", "items": {"type": "integer"}, "maxItems": 2})
    >>> bool(re.fullmatch(pattern, "[1, 2]")), bool(re.fullmatch(pattern, "[1, 2, 3]"))
    (True, False)
    """
    # Given: `checked` is the schema without annotations; whatever else stands in it is covered and well-formed.
    checked = check_subset(schema, pointer)
    space = policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    raise NotImplementedError("lab 08, TODO 10 (about 19 lines): a case for each type, and for enum")
