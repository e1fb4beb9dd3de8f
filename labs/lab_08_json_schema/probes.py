r"""Fixed questions to each function of lab 08. Their answers distinguish the misconceptions.

An answer is the texts that an expression matches, never the expression itself, which can be written differently.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import product
from typing import Any

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.trees import EMPTY, Whitespace, char, one_of, optional, regex_of, size_of
from labkit.checking.probing import attempt
from labkit.errors import SchemaError

ONE_OR_TWO = one_of("12")
SIGNS = Whitespace(edge=optional(char("e")), comma=char(","), colon=char(":"))
COMPACT = Whitespace(edge=EMPTY, comma=char(","), colon=char(":"))


def _matches(make: Callable[..., Any], texts: Sequence[str], *args: Any, **keywords: Any) -> object:
    """Return which of the texts a tree matches, or an expression."""

    def ask() -> list[bool] | str:
        tree = make(*args, **keywords)
        if size_of(tree) > 2000:
            return "too large"
        try:
            regex = re.compile(tree if isinstance(tree, str) else regex_of(tree))
        except (re.error, TypeError):  # its name is not the same in all versions of Python
            return "no tree"
        return [regex.fullmatch(text) is not None for text in texts]

    return attempt(ask)


def _apart(line: str) -> list[str]:
    """Split a line into texts at double spaces."""
    return line.split("  ")


def probe_string_tree(lab: Any) -> list[object]:
    chars = ["", "a", "é", "😀", "\x7f", '"', "\\", "\n", "\x1f", "\ud83d", "aa", "aaa"]
    chars += [r"\n", r"\/", r"\a", r"\u", r"\u00e"]
    chars += [r"\u00e9", r"\u00E9", r"\uD7FF", r"\ud83d", r"\ude00", r"\ud83d\ude00", r"\uD83D\uDE00", r"\ude00\ud83d"]
    texts = [f'"{char}"' for char in [*chars, r"\n\n", r"\na", "é😀"]] + ["aa", '"']
    bounds = [(), (0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, None), (2, 1), (3, 0), (5, 5), (6, 6)]
    return [_matches(lab.string_tree, texts, *each) for each in bounds]


def probe_number_tree(lab: Any) -> list[object]:
    texts = _apart("0  -0  7  -7  10  01  -01  00  1.0  1.  .5  -.5  +1  1e5  1E-5  1e    -")
    texts += ["\u0663", "1\u0663", "1.\u0663", " 1", "1x5", "1e5.0", "12345"]
    return [_matches(lab.number_tree, texts, integer=integer) for integer in (True, False)]


def probe_object_tree(lab: Any) -> list[object]:
    texts = _apart("{}  {e}  {ee}  {eae}  {,}  {abc}  {a|A}  {A}  a    {b,a}  {a,a}  {c,a}  {a,c,b}")
    for row in ("a", "b", "c", "ab", "bc", "ac", "abc"):
        texts += [f"{{{start}{','.join(row)}{end}}}" for start in ("", ",") for end in ("", ",")] + [f"{{{row}}}"]
    patterns = [[(one_of(n + n.upper()), n in needed) for n in "abc"] for needed in ("", "a", "b", "c", "ac", "abc")]
    small = [_matches(lab.object_tree, texts, members, SIGNS) for members in [*patterns, []]]
    return [*small, _matches(lab.object_tree, ["{}"], [(char("a"), False)] * 12, SIGNS)]


SCHEMA_TEXTS = _apart('""  "a"  "b"  "ab"  1  0  -0  1.5  2.0  true  false  null  []  [1]')
SCHEMA_TEXTS += _apart(
    '{}  [{}]  {"b":"","a":1}  {"b": "", "a": 1}  {"a":1,"b":""}  {"b":""}  {"a":1}  [{"a":1},{}]  [{"a": 1}]'
)


def probe_schema_tree(lab: Any) -> list[object]:
    word, number = {"type": "string", "maxLength": 1}, {"type": "integer"}
    both = {"type": "object", "properties": {"b": word, "a": number}}
    values = [True, False, 1, 0, 2.0, "a", None]
    schemas: list[dict[str, Any]] = [
        word,
        number,
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": both, "minItems": 1, "maxItems": 2},
        {"type": "array", "items": number, "maxItems": 0},
        *(both | {"required": required} for required in ([], ["a"], ["b"], ["a", "b"])),
        *({"type": kind, "enum": values} for kind in ("integer", "string", "boolean", "number", "null")),
        {"enum": values},
        {"type": "string", "enum": ["a", "b"]},
    ]
    make = partial(lab.schema_tree, space=COMPACT)
    asked = [_matches(make, SCHEMA_TEXTS, schema, space=space) for schema in schemas for space in (SIGNS, COMPACT)]
    nested = _matches(make, ["[x]", "[1]"], {"type": "array", "items": number}, nested=lambda child, pointer: char("x"))
    refused: list[Any] = [word | {"pattern": "a"}, {"type": "strin"}, True]
    refused += [{"type": "array", "items": part} for part in refused]
    return [*asked, nested, *(_refusal(make, schema) for schema in refused)]


def _refusal(make: Callable[..., Any], schema: Any) -> object:
    try:
        make(schema)
    except SchemaError as error:
        return (type(error).__name__, error.pointer)
    except Exception as error:
        return type(error).__name__
    return "compiled"


# In an engine: an automaton is known by the texts that it matches, and by its number of states. -------------


def _dfa(rows: Sequence[Sequence[int]], accepting: set[int], initial: int = 0) -> Dfa:
    """Return an automaton over a, b and c."""
    return Dfa(
        [0, 97, 98, 99, 100], [-1, 0, 1, 2, -1], rows, initial, [state in accepting for state in range(len(rows))]
    )


ABC = ["".join(chars) for length in range(5) for chars in product("abc", repeat=length)]
A, B, C = (_dfa([tuple(1 if char == own else DEAD for char in "abc"), (-1, -1, -1)], {1}) for own in "abc")
LATE_A = _dfa([(-1, -1, -1), (0, -1, -1)], {0}, initial=1)
SOME_B = _dfa([(-1, 0, -1)], {0})
AB_OR_C = _dfa([(1, -1, 2), (-1, 2, -1), (-1, -1, -1)], {2})
ENDS_IN_C = _dfa([(0, 0, 1), (0, 0, 1)], {1})
NONE, EMPTY = _dfa([(-1, -1, -1)], set()), _dfa([(-1, -1, -1)], {0})


def _known(dfa: Dfa, texts: Sequence[str] = ABC) -> list[object]:
    return [type(dfa).__name__, len(dfa), [_accepts(dfa, text) for text in texts]]


def _accepts(dfa: Dfa, text: str) -> bool:
    state = reduce(lambda here, char: here if here == DEAD else dfa.step(here, ord(char)), text, dfa.initial)
    return state != DEAD and bool(dfa.accepting[state])


def probe_product(lab: Any) -> list[object]:
    choices: list[Callable[[bool, bool], bool]] = [
        lambda one, other: one and other,
        lambda one, other: one or other,
        lambda one, other: one != other,
        lambda one, other: one and not other,
    ]
    pairs = [(AB_OR_C, ENDS_IN_C), (SOME_B, LATE_A), (LATE_A, AB_OR_C), (ENDS_IN_C, SOME_B), (A, NONE)]
    asked = [(*pair, choice) for pair in pairs for choice in choices]
    return [attempt(lambda *each: _known(lab.product(*each)), *each) for each in asked]


def probe_splice(lab: Any) -> list[object]:
    places = _dfa([(1, 2, -1), (-1, -1, 3), (-1, -1, 4), (5, -1, -1), (-1, 5, -1), (-1, -1, -1)], {5})
    late = _dfa([(-1, -1, -1), (-1, -1, 0)], {0}, initial=1)
    parts = [{99: part} for part in (A, LATE_A, SOME_B, AB_OR_C, NONE, EMPTY)]
    more: list[dict[int, Dfa]] = [{}, {120: A}, {98: C, 99: B}]
    asked = [(skeleton, each) for skeleton in (C, places, late, ENDS_IN_C) for each in (*parts, *more)]
    small = [attempt(lambda skeleton, each: _known(lab.splice(skeleton, each)), *each) for each in asked]
    chain = _dfa([(state + 1, -1, 1001) for state in range(1000)] + [(-1, -1, -1)] * 2, {1001})
    many = _dfa([(state + 1, -1, -1) for state in range(300)] + [(-1, -1, -1)], {300})
    return [*small, attempt(lambda: len(lab.splice(chain, {99: many})))]


DECIMALS = ["".join(chars) for length in range(1, 5) for chars in product("0159.", repeat=length)]


def probe_compare_digits(lab: Any) -> list[object]:
    asked = [(bound, orders) for bound in ("15", "0.5", "5.05", "10", "1") for orders in ((-1,), (0,), (1,), (-1, 0))]
    return [attempt(lambda *each: _known(lab.compare_digits(*each), DECIMALS), *each) for each in asked]
