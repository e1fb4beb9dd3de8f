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
    # begin TODO 1
    raw = r'[^"\\\x00-\x1f\ud800-\udfff]'
    short = r'\\["\\/bfnrt]'
    # subtle: D800 to DFFF are halves of pairs, so after a first digit d the second one is 0 to 7.
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return f"(?:{raw}|{short}|{basic}|{pair})"
    # end TODO 1


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
    # begin TODO 2
    # subtle: a most of 0 is a bound, so ask for None and not for truth.
    if most is not None and most < least:
        return NOTHING
    return f'"{character_regex()}{count_regex(least, most)}"'
    # end TODO 2


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
    # begin TODO 3
    if integer:
        # subtle: the sign belongs to the second alternative alone, so -0 is refused.
        return "(?:0|-?[1-9][0-9]*)"
    # A sign, the digits before the point, a fraction, an exponent; only the digits are mandatory.
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    # end TODO 3


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
    # begin TODO 4
    if char == "/":
        return r"\\?/"
    # subtle: first JSON's own escape, then the regular expression's.
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    # One \u escape for each UTF-16 unit, each letter in either case.
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"
    # end TODO 4


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
    # begin TODO 5
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    # subtle: numbers need escaping too, because 1.5 holds a point and 1e+26 a plus.
    return re.escape(json.dumps(value))
    # end TODO 5


def enum_regex(values: Sequence[Any]) -> str:
    """Return an expression for one of several scalar values.

    Returns:
        A regular expression that is a group; ``NOTHING`` if there are no values.

    >>> enum_regex(["red", 3, True])
    '(?:"red"|3|true)'
    """
    # begin TODO 6
    return f"(?:{'|'.join(map(literal_regex, values))})" if values else NOTHING
    # end TODO 6


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
    # begin TODO 7
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    # subtle: the first item is counted already, and a count below zero would be plain text.
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"
    # end TODO 7


def member_regex(key: str, value: str, space: Whitespace) -> str:
    """Return an expression for a member of an object: its key, a colon, and its value.

    Args:
        key: any text; it is written as a JSON string.
        value: a regular expression; it may hold a ``|``.
        space: ``space.colon``, which contains the colon, comes between the two.

    >>> bool(re.fullmatch(member_regex("a.b", "true|false", policy("flexible")), '"a.b": false'))
    True
    """
    # begin TODO 8
    return f"{literal_regex(key)}{space.colon}(?:{value})"
    # end TODO 8


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
    # begin TODO 9
    rows = []
    for index, (first, required) in enumerate(members):
        # With this member first, every later one brings its own comma.
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        rows.append(f"(?:{first}){''.join(others)}{space.edge}")
        if required:
            break  # subtle: no member after a required one can be the first
    else:
        rows.append("")  # nothing is required, so the object may be empty
    return rf"\{{{space.edge}(?:{'|'.join(rows)})\}}"
    # end TODO 9


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
    # begin TODO 10
    if "enum" in checked:
        # subtle: both keywords count, and has_type keeps True apart from 1.
        kind = checked.get("type")
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    match checked["type"]:
        case "string":
            return string_regex(checked.get("minLength", 0), checked.get("maxLength"))
        case "array":
            item = inner(checked["items"], below(pointer, "items"))
            return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
        case "object":
            # The order is that of properties; required says only which members must be there.
            required = checked.get("required", ())
            members = [
                (member_regex(key, inner(child, below(pointer, "properties", key)), space), key in required)
                for key, child in checked["properties"].items()
            ]
            return object_regex(members, space)
        case "boolean":
            return enum_regex([True, False])
        case "null":
            return literal_regex(None)
    return number_regex(integer=checked["type"] == "integer")
    # end TODO 10
