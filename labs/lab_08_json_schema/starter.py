# Your file for lab 08. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  LAB_IMPL=starter pytest labs/lab_08_json_schema
#             (or:  python -m course test 08)
# Stuck on TODO 1:  python -m course hint 08.1
# The README beside this file explains the idea.

r"""Lab 08: from a JSON Schema to a regular expression for its values.

The JSON texts of a schema without recursion are a regular language, so labs 06 and 07 turn them into an automaton and
masks. The work is to get JSON right: which texts are strings, where commas go, that ``01`` is not a number. The keys of
an object come in the order of the schema. ``given/`` adds references, ``anyOf``, bounds, patterns, formats and more.
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
    r"""Return an expression for one character of a JSON string, in each form that JSON allows.

    The forms (RFC 8259, section 7) are: raw, unless it is a quote, a backslash, a control character (below U+0020) or
    half a surrogate pair; a short escape, one of ``\" \\ \/ \b \f \n \r \t``; and a long one, ``\u`` with four
    hexadecimal digits in either case. A character beyond U+FFFF takes two long escapes, a high surrogate (D800 to DBFF)
    and a low one (DC00 to DFFF), and is still one character. Half a pair is not a character.

    Returns:
        A regular expression that is a group, so that a quantifier after it applies to all of it.

    >>> all(re.fullmatch(character_regex(), text) for text in ["a", "é", r"\"", r"\u00E9", r"\ud83d\ude00"])
    True
    >>> any(re.fullmatch(character_regex(), text) for text in ['"', "\n", "\\", r"\x41", r"\ud83d", r"\u00e"])
    False
    """
    raise NotImplementedError("lab 08, TODO 1 (about 5 lines): one character: raw, short or long escape, or a pair")


def count_regex(least: int, most: int | None) -> str:
    """Return the quantifier for ``least`` to ``most`` repetitions; None means no upper bound. Given.

    >>> count_regex(2, None), count_regex(0, 3)
    ('{2,}', '{0,3}')
    """
    return f"{{{least},{'' if most is None else most}}}"


def string_regex(least: int = 0, most: int | None = None) -> str:
    r"""Return an expression for a JSON string of ``least`` to ``most`` characters, quotes included.

    The count is of characters of the value: an escape is one character, and so is a surrogate pair.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``.

    >>> bool(re.fullmatch(string_regex(2, 2), r'"a\n"')), bool(re.fullmatch(string_regex(2, 2), '"a"'))
    (True, False)
    """
    raise NotImplementedError("lab 08, TODO 2 (about 3 lines): quotes, and a counted group between them")


def number_regex(*, integer: bool) -> str:
    """Return an expression for a JSON number, or for an integer in canonical form.

    JSON allows no leading zeros, no leading plus sign, and a point only between digits; it allows ``-0`` as a number.

    Args:
        integer: whether fraction, exponent and ``-0`` are refused.

    Returns:
        A regular expression that is a group.

    >>> [text for text in ["0", "-7", "01", "-0", "1.0", "10"] if re.fullmatch(number_regex(integer=True), text)]
    ['0', '-7', '10']
    >>> [text for text in ["-0.50", "1e+9", "1.", ".5", "1E5"] if re.fullmatch(number_regex(integer=False), text)]
    ['-0.50', '1e+9', '1E5']
    """
    raise NotImplementedError("lab 08, TODO 3 (about 3 lines): integers, and numbers with fraction and exponent")


def spell_character(char: str) -> str:
    r"""Return an expression for one given character of a JSON string, in the forms that JSON writers use.

    A printable ASCII character is written raw; a quote and a backslash have a backslash before them, and a slash may
    have one. A control character, below U+0020, is written as its short escape, if it has one, or as ``\u`` and its
    hexadecimal digits in either case. Any other character, U+007F included, is written raw or as ``\u`` and its digits,
    beyond U+FFFF as a surrogate pair.

    Returns:
        A regular expression, a group where it has alternatives.

    >>> spell_character("a"), spell_character("é"), spell_character("\n")
    ('a', '(?:é|\\\\u00[eE]9)', '(?:\\\\n|\\\\u000[aA])')
    """
    raise NotImplementedError("lab 08, TODO 4 (about 8 lines): one given character, in every form that writers use")


def literal_regex(value: str | int | float | bool | None) -> str:
    r"""Return an expression for one scalar JSON value: a string, a number, ``true``, ``false`` or ``null``.

    Returns:
        A regular expression. A string may be written in all forms of ``spell_character``, everything else only as
        ``json.dumps`` writes it.

    >>> literal_regex("a+"), literal_regex(1.5), literal_regex(None)
    ('"a\\+"', '1\\.5', 'null')
    >>> bool(re.fullmatch(literal_regex('say "é"'), r'"say \"\u00e9\""'))
    True
    """
    raise NotImplementedError("lab 08, TODO 5 (about 3 lines): a string, a number, true, false or null")


def enum_regex(values: Sequence[Any]) -> str:
    """Return an expression for one of several scalar values.

    Returns:
        A regular expression that is a group; ``NOTHING`` if there are no values.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    raise NotImplementedError("lab 08, TODO 6 (about 1 line): one of several values, in a group")


def array_regex(item: str, least: int, most: int | None, space: Whitespace) -> str:
    """Return an expression for an array of ``least`` to ``most`` items.

    Args:
        item: a regular expression for one item. It may hold a ``|``: put it into a group.
        least: at least 0.
        most: at least 0, or None for no upper bound.
        space: three regular expressions. ``space.edge`` comes after the opening and before the closing bracket,
            ``space.comma``, which contains the comma, between two items.

    Returns:
        A regular expression; ``NOTHING`` if ``most`` is less than ``least``. An empty array has one ``edge`` inside.

    >>> ints = array_regex("1|2", 1, 3, policy("compact"))
    >>> [text for text in ["[]", "[1]", "[1,2,1]", "[1,]", "[1,1,1,1]", "[12]"] if re.fullmatch(ints, text)]
    ['[1]', '[1,2,1]']
    """
    raise NotImplementedError("lab 08, TODO 7 (about 7 lines): a first item, and a comma with each further one")


def member_regex(key: str, value: str, space: Whitespace) -> str:
    """Return an expression for a member of an object: its key, a colon, and its value.

    Args:
        key: any text; it is written as a JSON string.
        value: a regular expression; it may hold a ``|``.
        space: ``space.colon``, which contains the colon, comes between the two.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    raise NotImplementedError("lab 08, TODO 8 (about 1 line): key, colon, value")


def object_regex(members: Sequence[tuple[str, bool]], space: Whitespace) -> str:
    """Return an expression for an object whose members come in the given order; optional ones may be missing.

    Args:
        members: for each its regular expression, which may hold a ``|``, and whether it is required.
        space: as for arrays; an empty object has one ``edge`` inside.

    Returns:
        A regular expression. There is one comma between two members, whichever are missing. Its length grows at most
        with the square of the number of members, not with the number of their subsets.

    >>> some = object_regex([("a", False), ("b", True), ("c", False)], policy("compact"))
    >>> [text for text in ["{b}", "{a,b}", "{b,c}", "{a,b,c}", "{a}", "{,b}", "{ab}", "{}"] if re.fullmatch(some, text)]
    ['{b}', '{a,b}', '{b,c}', '{a,b,c}']
    """
    raise NotImplementedError("lab 08, TODO 9 (about 10 lines): a choice of the first member, commas after it")


def json_schema_to_regex(
    schema: dict[str, Any],
    *,
    whitespace: str = "flexible",
    pointer: str = "",
    nested: Callable[[Any, str], str] | None = None,
) -> str:
    """Return an expression for the JSON texts of a schema's values.

    Covered: ``type`` (one of the seven), ``enum`` of scalars, ``properties`` and ``required``, ``items`` with
    ``minItems`` and ``maxItems``, ``minLength`` and ``maxLength``. Beside a type an ``enum`` keeps the values of that
    type. Only declared keys are written, in the order of ``properties``.

    Args:
        schema: left unchanged.
        whitespace: ``"compact"`` or ``"flexible"`` (see ``given/compiling/whitespace.py``).
        pointer: the JSON pointer to ``schema``, for errors.
        nested: called with each inner schema and the pointer to it, returns its regular expression; None stands for
            this function itself.

    Returns:
        A regular expression, not necessarily a group: the caller adds one.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: for every constraining keyword that is not covered, and for a place that allows any value.

    >>> pattern = json_schema_to_regex({"type": "array", "items": {"type": "integer"}, "maxItems": 2})
    >>> bool(re.fullmatch(pattern, "[1, 2]")), bool(re.fullmatch(pattern, "[1, 2, 3]"))
    (True, False)
    """
    # Given: `checked` is the schema without annotations; everything left in it is covered and well-formed.
    checked = check_subset(schema, pointer)
    space = policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    raise NotImplementedError("lab 08, TODO 10 (about 19 lines): a case for each type, and for enum")
