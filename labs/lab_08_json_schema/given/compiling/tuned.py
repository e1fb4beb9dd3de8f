"""The tree of a plain schema, which lab 06's ``LazyDfa`` walks: no automaton is made before it is needed.

It is a tuned twin of ``compile_schema`` for the schemas that people write most: objects with declared members, arrays
of equal items, strings with lengths, numbers, ``enum``, ``anyOf`` and ``$ref`` to such. The pieces are the lab's own
expressions, and a string or a number with further keywords is its automaton. For all others there is no tree.
``tests/labs/lab_08/test_tuned_schemas.py`` holds it equal to the compiler.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.syntax import Alternation, Chars, Concat, Node, Ranges, Repeat
from labkit.errors import InvalidPattern, InvalidSchema, LimitExceeded, UnsupportedPattern, UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.lazy import Spelled, Tree
from labs.lab_06_regex_to_dfa.solution import parse_tree
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.escape_trees import ESCAPED, EscapeTree, escape_tree
from labs.lab_08_json_schema.given.automata.operations import is_empty
from labs.lab_08_json_schema.given.automata.tables import subtract_ranges
from labs.lab_08_json_schema.given.compiling.compiler import compile_schema
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.scalars import first_integer, last_integer, string_values
from labs.lab_08_json_schema.given.compiling.whitespace import MAX_INDENT, Whitespace, policy
from labs.lab_08_json_schema.given.ecma.patterns import search_tree
from labs.lab_08_json_schema.given.reading.check import check_document
from labs.lab_08_json_schema.given.reading.keywords import ANNOTATIONS, BY_TYPE
from labs.lab_08_json_schema.given.reading.pointers import below, resolve
from labs.lab_08_json_schema.given.reading.read_flat import read_flat
from labs.lab_08_json_schema.given.reading.subset import check_subset

MOST_MEMBERS = 60
"""The most members of an object; its tree is as deep."""

MOST_NESTED = 40
"""How deep schemas may be nested."""

_REFUSALS = (InvalidPattern, InvalidSchema, LimitExceeded, UnsupportedPattern, UnsupportedSchema)


class _NotPlainError(Exception):
    """The schema needs the compiler."""


def schema_tree(schema: Any, *, whitespace: str = "flexible") -> Tree | None:
    """Return the tree of a plain schema's JSON texts, or None if it is not plain, or malformed.

    >>> schema_tree({"enum": [1, True]}, whitespace="compact") is None, schema_tree({"not": {}}) is None
    (False, True)
    """
    try:
        check_document(schema)
        trees = _Trees(schema, policy(whitespace))
        tree = trees.of(schema, "", 0)
    except (_NotPlainError, *_REFUSALS):
        return None
    # Deeper values are indented further: the compiler knows how far.
    return tree if whitespace != "flexible" or 4 * trees.deepest <= MAX_INDENT else None


class _Trees:
    """The trees of one document's schemas; a ``$ref`` is read once."""

    def __init__(self, root: Any, space: Whitespace) -> None:
        self.deepest = 0
        self._root, self._space = root, space
        self._edge, self._comma, self._colon = (_parsed(each) for each in (space.edge, space.comma, space.colon))
        self._referred: dict[tuple[int, str], Tree] = {}
        self._open: set[str] = set()

    def of(self, schema: Any, pointer: str, depth: int) -> Tree:
        """Return the tree of a schema; ``depth`` is how deep its values are in arrays and objects."""
        if not isinstance(schema, dict) or len(self._open) >= MOST_NESTED:
            raise _NotPlainError
        if pointer in self._open:  # it refers to itself
            raise _NotPlainError
        self.deepest = max(self.deepest, depth)
        self._open.add(pointer)
        try:
            return self._of(schema, pointer, depth)
        finally:
            self._open.discard(pointer)

    def _of(self, schema: dict[str, Any], pointer: str, depth: int) -> Tree:
        asked = schema.keys() - ANNOTATIONS
        if asked == {"$ref"}:
            return self._target(schema["$ref"], pointer, depth)
        if asked == {"anyOf"} and isinstance(schema["anyOf"], list) and schema["anyOf"]:
            branches = enumerate(schema["anyOf"])
            return _choice([self.of(branch, below(pointer, "anyOf", index), depth) for index, branch in branches])
        if asked == {"const"} or (asked == {"enum"} and schema["enum"]):
            return _values(schema["enum"] if asked == {"enum"} else [schema["const"]])
        kind = schema.get("type")
        if isinstance(kind, list) and kind and asked == {"type"}:
            return _choice([self._of({"type": each}, pointer, depth) for each in dict.fromkeys(kind)])
        if kind == "object":
            return self._object(schema, pointer, depth)
        if kind in ("string", "integer", "number") and not asked <= {"type", "minLength", "maxLength"}:
            return _scalar({key: schema[key] for key in sorted(asked)})
        checked = check_subset(schema, pointer)
        if "enum" in checked:
            raise _NotPlainError
        if kind == "string":
            return _string(checked.get("minLength", 0), checked.get("maxLength"))
        if kind == "array":
            item = self.of(schema["items"], below(pointer, "items"), depth + 1)
            return self._array(item, checked.get("minItems", 0), checked.get("maxItems"))
        return _parsed(lab.json_schema_to_regex(checked))

    def _target(self, reference: Any, pointer: str, depth: int) -> Tree:
        target, place = resolve(self._root, reference, pointer)
        key = (depth, place)
        if key not in self._referred:
            self._referred[key] = self.of(target, place, depth)
        return self._referred[key]

    def _array(self, item: Tree, least: int, most: int | None) -> Tree:
        if most is not None and most < least:
            raise _NotPlainError
        inside: list[Tree] = []
        if most != 0:
            further = _times(_row([self._comma, item]), max(least, 1) - 1, None if most is None else most - 1)
            items = _row([item, further, self._edge])
            inside = [items if least else _optional(items)]
        return _row([_char("["), self._edge, *inside, _char("]")])

    def _object(self, schema: dict[str, Any], pointer: str, depth: int) -> Tree:
        if schema.get("additionalProperties", False) is not False or not schema.get("properties"):
            raise _NotPlainError
        checked = check_subset({key: schema[key] for key in schema if key != "additionalProperties"}, pointer)
        if "enum" in checked or len(checked["properties"]) > MOST_MEMBERS:
            raise _NotPlainError
        required = set(checked.get("required", ()))
        members = []
        for key, child in checked["properties"].items():
            value = self.of(child, below(pointer, "properties", key), depth + 1)
            members.append((_row([_key(key), self._colon, value]), key in required))
        # As object_regex does it, but all rows share what comes after a member.
        rows: list[Tree] = [] if required else [Concat(())]
        after: Tree = self._edge
        for member, needed in reversed(members):
            if needed:
                rows = []
            rows.append(_row([member, after]))
            following = _row([self._comma, member])
            after = _row([following if needed else _optional(following), after])
        return _row([_char("{"), self._edge, _choice(rows), _char("}")])


def _row(parts: Sequence[Tree]) -> Tree:
    return Concat(tuple(parts))  # type: ignore[arg-type]


def _choice(options: Sequence[Tree]) -> Tree:
    return Alternation(tuple(options))  # type: ignore[arg-type]


def _optional(body: Tree) -> Tree:
    return _times(body, 0, 1)


def _times(body: Tree, least: int, most: int | None) -> Tree:
    return Repeat(body, least, most)  # type: ignore[arg-type]


def _string(least: int, most: int | None) -> Tree:
    if most is not None and most < least:
        raise _NotPlainError
    return _row([_char('"'), _times(_parsed(lab.character_regex()), least, most), _char('"')])


def _values(values: Any) -> Tree:
    if not all(isinstance(value, str | int | float | bool) or value is None for value in values):
        raise _NotPlainError  # values in arrays and objects have edges of their own
    texts = [value for value in values if isinstance(value, str)]
    others = [value for value in values if not isinstance(value, str)]
    return _choice([*map(_key, texts), *([_parsed(values_regex(others, policy("compact")))] if others else [])])


def _key(text: str) -> Tree:
    """Return the tree of a text as a JSON string."""
    return _row([_char('"'), *map(_spelled, text), _char('"')])


@lru_cache(maxsize=512)
def _spelled(char: str) -> Tree:
    return parse_tree(lab.spell_character(char))


@lru_cache(maxsize=64)
def _char(char: str) -> Tree:
    return Chars(((ord(char), ord(char)),))


@lru_cache(maxsize=64)
def _parsed(expression: str) -> Tree:
    return parse_tree(expression)


def _scalar(schema: dict[str, Any]) -> Tree:
    """Return the tree of a string or a number with keywords of its own."""
    if schema.keys() == {"type", "format"} and isinstance(schema["format"], str):
        return _format(json.dumps(schema))
    flat = read_flat(schema, "")
    if schema.keys() == {"type", "pattern"} and (values := search_tree(schema["pattern"])) is not None:
        return _row([_char('"'), _spelled_tree(values), _char('"')])
    if schema["type"] == "string" and schema.keys() <= {"type"} | BY_TYPE["string"]:
        return _spelled_string(string_values(flat))
    bounds = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    if schema["type"] == "integer" and schema.keys() <= {"type"} | bounds:
        return between(first_integer(flat.low), last_integer(flat.high))
    if not schema.keys() <= {"type"} | BY_TYPE["number"]:
        raise _NotPlainError
    return compile_schema(schema)


@lru_cache(maxsize=32)
def _format(schema: str) -> Tree:
    values = string_values(read_flat(json.loads(schema), ""))
    return _spelled_string(values)


def _spelled_string(values: Dfa) -> Tree:
    """Return the tree of the JSON strings of some values."""
    if is_empty(values):
        raise _NotPlainError
    return _row([_char('"'), Spelled(values, tuple(map(_characters, values.class_ranges))), _char('"')])


def _spelled_tree(values: Node) -> Tree:
    """Return the tree of the JSON strings, without their quotes, of some values."""
    match values:
        case Chars(ranges):
            return _characters(ranges) if ranges else values
        case Concat(parts):
            return _row(list(map(_spelled_tree, parts)))
        case Alternation(options):
            return _choice(list(map(_spelled_tree, options)))
        case Repeat(body, least, most):
            return _times(_spelled_tree(body), least, most)
    raise TypeError(f"no node of a tree without anchors: {values!r}")


@lru_cache(maxsize=256)
def _characters(ranges: Ranges) -> Tree:
    """Return the tree of one of some characters, in each form that JSON allows."""
    bounds = [0, *sorted({bound for first, last in ranges for bound in (first, last + 1)} - {0, CODE_POINTS})]
    inside = [any(first <= bound <= last for first, last in ranges) for bound in bounds]
    one = Dfa(bounds, [0 if yes else DEAD for yes in inside], [[0]], 0, [True])

    def tree(escapes: EscapeTree) -> Tree:
        below = ((chars, rest) for chars, rest in escapes.items())
        return _choice(
            [_row([Chars(chars), *([tree(rest)] if isinstance(rest, dict) else [])]) for chars, rest in below]
        )

    raw = subtract_ranges(ranges, ESCAPED)
    return _choice([*([Chars(raw)] if raw else []), _row([_char("\\"), tree(escape_tree(one))])])


# Integers between two bounds --------------------------------------------------------------------------------


def between(low: int | None, high: int | None) -> Tree:
    """Return the tree of the integers between two bounds, both included, in canonical form.

    >>> from labs.lab_06_regex_to_dfa.given.lazy import LazyDfa, whole_dfa
    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = whole_dfa(LazyDfa(between(-12, None)))
    >>> [text for text in ["-13", "-12", "-1", "-0", "0", "07", "70"] if fullmatch(dfa, text)]
    ['-12', '-1', '0', '70']
    """
    options = []
    if high is None or high >= 0:
        options.append(_magnitudes(max(low or 0, 0), high))
    if low is None or low < 0:
        options.append(_row([_char("-"), _magnitudes(max(-high if high is not None else 1, 1), low and -low)]))
    return _choice([option for option in options if low is None or high is None or low <= high])


def _magnitudes(low: int, high: int | None) -> Tree:
    """Return the tree of the digits of the numbers between two that are not negative; without a limit if there is none.

    Numbers of one length are compared digit by digit.
    """
    first, last = str(low), str(high) if high is not None else None
    longest = len(last) if last is not None else len(first)
    options = []
    for length in range(len(first), longest + 1):
        start = first if length == len(first) else "1" + "0" * (length - 1)
        end = last if last is not None and length == len(last) else "9" * length
        options.append(_digits(start, end))
    if last is None:
        options.append(_row([_digit("1", "9"), Repeat(_digit("0", "9"), longest, None)]))  # type: ignore[arg-type]
    return _choice(options)


def _digits(start: str, end: str) -> Tree:
    """Return the tree of the digits from one text to another of the same length."""
    if not start:
        return Concat(())
    if start[0] == end[0]:
        return _row([_digit(start[0], start[0]), _digits(start[1:], end[1:])])
    rest = len(start) - 1
    zeros, nines = "0" * rest, "9" * rest
    options = []
    low, high = int(start[0]), int(end[0])
    if start[1:] != zeros:
        options.append(_row([_digit(start[0], start[0]), _digits(start[1:], nines)]))
        low += 1
    if end[1:] != nines:
        options.append(_row([_digit(end[0], end[0]), _digits(zeros, end[1:])]))
        high -= 1
    if low <= high:
        middle = _digit(str(low), str(high))
        options.append(_row([middle, Repeat(_digit("0", "9"), rest, rest)]))  # type: ignore[arg-type]
    return _choice(options)


def _digit(first: str, last: str) -> Tree:
    return Chars(((ord(first), ord(last)),))
