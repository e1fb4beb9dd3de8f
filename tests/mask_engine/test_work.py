"""Hostile schemas: work is counted, grows gently where it can, and stops at a limit that says where.

No clock is read: what is asserted is the count. Its units are calibrated to about a microsecond of one processor.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations, pairwise
from typing import Any

import pytest

from labkit.automata import work
from labkit.automata.work import Limit
from labkit.errors import LimitExceeded, TooMuchWork
from labkit.reading import reading_of
from labs.lab_06_regex_to_dfa.given.check import check_pattern
from mask_engine import Matcher, compile_json_schema
from mask_engine.reading import objects
from mask_engine.trees import compiler
from mask_engine.trees import objects as trees_of_objects

KEYS = [f"k{index}" for index in range(44)]
OBJECT: dict[str, Any] = {"type": "object", "properties": {key: {"type": "integer"} for key in KEYS}}

Counted = Callable[[Any], tuple[Matcher | LimitExceeded, int]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Return a function that compiles a schema, and gives the matcher or the refusal, and the work that it took."""
    opened: list[Limit] = []

    @contextmanager
    def at_most(most: int, what: str) -> Iterator[None]:
        with work.at_most(most, what) as one:
            assert one is not None
            opened.append(one)
            yield

    monkeypatch.setattr(compiler, "at_most", at_most)

    def compile_it(schema: Any) -> tuple[Matcher | LimitExceeded, int]:
        opened.clear()
        try:
            found: Matcher | LimitExceeded = compile_json_schema(schema, whitespace="compact")
        except LimitExceeded as error:
            found = error
        return found, sum(one.most - one.left for one in opened)

    return compile_it


def lacking(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    return OBJECT | {"allOf": [{"not": {"required": list(pair)}} for pair in pairs]}


PRESENCE: dict[str, Callable[[int], dict[str, Any]]] = {
    "pairs that are never both there, in a row": lambda n: lacking(list(pairwise(KEYS))),
    "apart from each other": lambda n: lacking(list(zip(KEYS[0 : 2 * n : 2], KEYS[1 : 2 * n : 2], strict=True))),
    "all of some": lambda n: lacking(list(combinations(KEYS[: n // 2 + 1], 2))),
    "one of two": lambda n: (
        OBJECT
        | {"allOf": [{"anyOf": [{"required": [KEYS[2 * i]]}, {"required": [KEYS[2 * i + 1]]}]} for i in range(n)]}
    ),
    "exactly one of two": lambda n: (
        OBJECT
        | {"allOf": [{"oneOf": [{"required": [KEYS[2 * i]]}, {"required": [KEYS[2 * i + 1]]}]} for i in range(n)]}
    ),
    "exactly one of many": lambda n: OBJECT | {"oneOf": [{"required": [key]} for key in KEYS[:n]]},
    "dependentRequired": lambda n: OBJECT | {"dependentRequired": {key: [after] for key, after in pairwise(KEYS)}},
}


@pytest.mark.parametrize("name", PRESENCE)
def test_what_is_asked_of_keys_does_not_multiply(name: str, counted: Counted) -> None:
    """Each of these was 2 ** n cases."""
    few, little = counted(PRESENCE[name](3))
    many, more = counted(PRESENCE[name](20))
    assert isinstance(few, Matcher)
    assert isinstance(many, Matcher)
    assert more < 3 * little, (little, more)


def nested(n: int, around: Callable[[Any], Any], inside: Any) -> Any:
    for _ in range(n):
        inside = around(inside)
    return inside


def branching(i: int) -> dict[str, Any]:
    return {"if": {"properties": {KEYS[i]: {"const": 1}}}, "then": {"required": [KEYS[i + 1]]}}


HOSTILE: dict[str, Any] = {
    "if": OBJECT | {"allOf": [branching(i) for i in range(30)]},
    "dependentSchemas": OBJECT
    | {"dependentSchemas": {KEYS[i]: {"properties": {KEYS[i + 1]: {"minimum": i}}} for i in range(30)}},
    "anyOf": {"allOf": [{"anyOf": [{"minLength": i}, {"pattern": f"a{i}"}]} for i in range(12)], "type": "string"},
    "oneOf": {"oneOf": [{"type": "string", "pattern": f"[ab]*a[ab]{{{i}}}"} for i in range(3, 40)]},
    "not": {"type": "string", "allOf": [{"not": {"pattern": f"{chr(97 + i)}.{{{i}}}x"}} for i in range(20)]},
    "patterns": {"type": "string", "allOf": [{"pattern": f"{chr(97 + i)}.{{3}}x"} for i in range(20)]},
    "patternProperties": {"type": "object", "patternProperties": {f"{key}.{{9}}": {} for key in KEYS}},
    "contains": {"type": "array", "allOf": [{"contains": {"multipleOf": i + 2}} for i in range(6)]},
    "doubled": nested(14, lambda s: {"anyOf": [s, {"type": "object", "properties": {"a": s}}]}, {"type": "null"}),
    "deep items": nested(1_000, lambda s: {"items": s}, {"type": "null"}),
    "deep not": nested(1_000, lambda s: {"not": s}, {"type": "null"}),
    "deep allOf": nested(90, lambda s: {"allOf": [s, s]} if isinstance(s, bool) else {"allOf": [s]}, {"minimum": 2}),
    "wide enum": {"enum": [f"value {i}" for i in range(50_000)]},
    "enum of objects": {"enum": [{"a": i, "b": [i]} for i in range(1_000)]},
    "long pattern": {"type": "string", "pattern": "^([a-z]+-)+$", "maxLength": 100_000},
    "long array": {"type": "array", "items": {"type": "string", "maxLength": 10**6}, "minItems": 10**6},
    "all at once": {
        "type": "array",
        "minItems": 1_000,
        "items": OBJECT | {"allOf": [branching(i) for i in range(9)]},
        "contains": {"required": ["k3"]},
    },
}

SLACK = 1.5
"""One step may be charged at once, and so go beyond a limit."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_meets_a_limit_or_compiles(name: str, counted: Counted) -> None:
    found, units = counted(HOSTILE[name])
    assert units < SLACK * compiler.MOST_WORK
    if isinstance(found, LimitExceeded):
        assert found.limit > 0
        assert f"{found.limit:,}" in str(found)


def test_a_case_is_looked_up_only_by_keys_that_another_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 keys that must be there, each was once taken out of all the others."""
    apart: list[object] = []
    take = objects._apart
    monkeypatch.setattr(objects, "_apart", lambda case, keys: apart.append(keys) or take(case, keys))
    keys = [f"p{i}" for i in range(300)]
    form = {"type": "object", "properties": {key: {"minimum": 1} for key in keys}, "required": keys}
    either = [{"not": {"required": ["p0"]}}, {"properties": {"p0": {"maximum": 9}}, "required": ["p0"]}]
    compile_json_schema({"anyOf": [form, form | {"required": ["p1"], "anyOf": either}]})
    assert len(apart) < 20
    apart.clear()
    found = objects.merged([objects.forbidden("a"), objects.present("a"), objects.present("b")])
    assert len(found) == 2 and {keys.name() for keys in apart} == {"a"}


def test_a_long_pattern_is_counted_before_it_is_read() -> None:
    with pytest.raises(TooMuchWork), work.at_most(99_999, "the schema"):
        check_pattern("a" * 100_000, ascii_only=False)


@pytest.mark.parametrize("least", [0, 1_200])
def test_an_array_of_many_first_items_is_read_in_parts(least: int) -> None:
    """Each item is within the one before, deeper than Python recurses."""
    schema = {"prefixItems": [{"const": i % 3} for i in range(1_200)], "items": False, "minItems": least}
    matcher = compile_json_schema({"type": "array", **schema}, whitespace="compact")
    text = ",".join(str(i % 3) for i in range(1_200))
    assert matcher.fullmatch(f"[{text}]") and not matcher.fullmatch(f"[{text},0]")
    assert matcher.fullmatch(f"[{text[:9]}]") == matcher.fullmatch("[]") == (not least)


def test_too_much_work_names_the_place(counted: Counted) -> None:
    hard = {"type": "number", "multipleOf": 0.000997, "not": {"multipleOf": 0.013}}
    found, _ = counted({"type": "object", "properties": {"name": {"type": "string"}, "hard": hard}})
    assert isinstance(found, LimitExceeded)
    assert "/properties/hard" in str(found)


def members(count: int, required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{i}": {"type": "integer"} for i in range(count)}, "required": required}


@pytest.mark.parametrize("required", [[], [f"p{i}" for i in range(1_100)]], ids=["none", "all"])
def test_many_members_are_no_pairs(required: list[str], counted: Counted) -> None:
    """And no part of an object is nested as deep as it has members, which are more than Python recurses."""
    _, few = counted(members(110, required[:110]))
    matcher, more = counted(members(1_100, required))
    assert isinstance(matcher, Matcher) and more < 15 * few
    value = {f"p{i}": i for i in range(1_100) if i % 100 == 7 or required}
    assert matcher.fullmatch(compact(value)) and not matcher.fullmatch(compact(value | {"p7": "x"}))
    assert matcher.fullmatch("{}") == (not required)


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.parametrize("closed", [True, False])
def test_keys_are_divided_once_for_objects_with_the_same_patterns(
    closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Automata are multiplied for the first object of a kind; ten more of it cost none."""
    counts: list[int] = []
    for name in ("intersect", "without"):
        slow = getattr(trees_of_objects, name)
        monkeypatch.setattr(trees_of_objects, name, lambda *dfas, slow=slow: counts.append(1) or slow(*dfas))

    def multiplied(n: int) -> int:
        counts.clear()
        patterns = {"^x": {"type": "string"}, "b$": {"type": "string", "maxLength": 2}, "^xb": {}}
        alike = [{"properties": {"a": {"const": k}, "xa": {}}, "patternProperties": patterns} for k in range(n)]
        compiler.schema_tree(
            {"anyOf": [{"type": "object", **each} for each in alike]}, reading=reading_of(closed=closed)
        )
        return len(counts)

    assert 0 < multiplied(1) == multiplied(12)


def test_a_format_beside_a_length_too_large_to_count() -> None:
    """Shorter texts of the format are written; with a pattern or a least length it is refused at once."""
    asked = {"type": "string", "format": "uri", "maxLength": 2048}
    matcher = compile_json_schema(asked)
    assert [matcher.fullmatch(f'"https://example.com/{"a" * n}"') for n in (200, 2048)] == [True, False]
    for more in ({"pattern": "^h"}, {"minLength": 1000}):
        with pytest.raises(LimitExceeded, match="2,048 characters beside a pattern or format"):
            compile_json_schema({**asked, **more})
