r"""Fixed questions to each function of lab 08. Their answers distinguish the misconceptions.

An answer is the texts that an expression matches, never the expression itself, which can be written differently.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

from labkit.automata.dfa import DEAD, Dfa
from labkit.checking.probing import attempt
from labkit.errors import SchemaError


class Blanks(NamedTuple):
    """White space, as three regular expressions."""

    edge: str
    comma: str
    colon: str


SIGNS = Blanks(edge="e?", comma=",", colon=":")


def _matches(make: Callable[..., str], texts: Sequence[str], *args: Any, around: str = "{}", **keywords: Any) -> object:
    """Return which of the texts an expression matches, put into another one in place of the braces."""

    def ask() -> list[bool] | str:
        pattern = make(*args, **keywords)
        try:
            regex = re.compile(around.replace("{}", pattern))
        except re.error:  # its name is not the same in all versions of Python
            return "no regular expression"
        return [regex.fullmatch(text) is not None for text in texts]

    return attempt(ask)


def probe_string_regex(lab: Any) -> list[object]:
    chars = [
        "",
        "a",
        "é",
        "😀",
        "\x7f",
        '"',
        "\\",
        "\n",
        "\x1f",
        "\ud83d",
        "aa",
        "aaa",
        r"\n",
        r"\/",
        r"\a",
        r"\u",
        r"\u00e",
    ]
    chars += [r"\u00e9", r"\u00E9", r"\uD7FF", r"\ud83d", r"\ude00", r"\ud83d\ude00", r"\uD83D\uDE00", r"\ude00\ud83d"]
    texts = [f'"{char}"' for char in [*chars, r"\n\n", r"\na", "é😀"]] + ["aa", '"']
    bounds = [(), (0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, None), (2, 1), (3, 0), (5, 5), (6, 6)]
    return [_matches(lab.string_regex, texts, *each) for each in bounds]


def probe_number_regex(lab: Any) -> list[object]:
    texts = [
        "0",
        "-0",
        "7",
        "-7",
        "10",
        "01",
        "-01",
        "00",
        "1.0",
        "1.",
        ".5",
        "-.5",
        "+1",
        "1e5",
        "1E-5",
        "1e",
        "",
        "-",
    ]
    texts += ["\u0663", "1\u0663", "1.\u0663", " 1", "1x5", "1e5.0", "12345"]
    around = ["<0>", "<10>", "<0", "10>"]
    groups = [_matches(lab.number_regex, around, integer=integer, around="<{}>") for integer in (True, False)]
    return [*groups, *(_matches(lab.number_regex, texts, integer=integer) for integer in (True, False))]


def probe_spell_character(lab: Any) -> list[object]:
    texts = [
        "a",
        "x",
        ".",
        r"\.",
        "/",
        r"\/",
        '"',
        r"\"",
        "\\",
        r"\\",
        "\n",
        r"\n",
        r"\u000a",
        r"\u000A",
        "é",
        r"\u00e9",
    ]
    texts += [
        r"\u00E9",
        "😀",
        r"\ud83d\ude00",
        r"\uD83D\uDE00",
        r"\u1f600",
        r"\u0001",
        "\x01",
        "\x7f",
        r"\u007F",
        "n",
        "",
    ]
    return [_matches(lab.spell_character, texts, char) for char in 'ax./"\\\n\x01\x7fé😀+']


def probe_array_regex(lab: Any) -> list[object]:
    texts = [
        "[]",
        "[e]",
        "[ee]",
        "[1]",
        "[2]",
        "[e1e]",
        "[1,2]",
        "[1,]",
        "[,1]",
        "[12]",
        "[1,,2]",
        "[1e,2]",
        "",
        "[1",
        "2]",
    ]
    texts += ["[1,1,1]", "[1,1,1,1]", "[,]", "[1,2{0,-1}]"]
    bounds = [(0, None), (1, None), (0, 0), (0, 1), (1, 1), (1, 2), (2, 3), (3, 3), (2, 1), (1, 0)]
    return [_matches(lab.array_regex, texts, "1|2", least, most, SIGNS) for least, most in bounds]


def probe_object_regex(lab: Any) -> list[object]:
    texts = [
        "{}",
        "{e}",
        "{ee}",
        "{eae}",
        "{,}",
        "{abc}",
        "{a|A}",
        "{A}",
        "a",
        "",
        "{b,a}",
        "{a,a}",
        "{c,a}",
        "{a,c,b}",
    ]
    for row in ("a", "b", "c", "ab", "bc", "ac", "abc"):
        texts += [f"{{{start}{','.join(row)}{end}}}" for start in ("", ",") for end in ("", ",")] + [f"{{{row}}}"]
    patterns = [[(f"{n}|{n.upper()}", n in needed) for n in "abc"] for needed in ("", "a", "b", "c", "ac", "abc")]
    small = [_matches(lab.object_regex, texts, members, SIGNS) for members in [*patterns, []]]
    return [*small, attempt(lambda: len(lab.object_regex([("a", False)] * 10, SIGNS)) < 10_000)]


def probe_json_schema_to_regex(lab: Any) -> list[object]:
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
    texts = [
        '""',
        '"a"',
        '"b"',
        '"ab"',
        "1",
        "0",
        "-0",
        "1.5",
        "2.0",
        "true",
        "false",
        "null",
        "[]",
        "[1]",
        "{}",
        "[{}]",
    ]
    texts += [
        '{"b":"","a":1}',
        '{"b": "", "a": 1}',
        '{"a":1,"b":""}',
        '{"b":""}',
        '{"a":1}',
        '[{"a":1},{}]',
        '[{"a": 1}]',
    ]
    make = lab.json_schema_to_regex
    asked = [_matches(make, texts, schema, whitespace=space) for schema in schemas for space in ("flexible", "compact")]
    nested = _matches(make, ["[x]", "[1]"], {"type": "array", "items": number}, nested=lambda child, pointer: "x")
    refused: list[Any] = [word | {"pattern": "a"}, {"type": "strin"}, True]
    refused += [{"type": "array", "items": part} for part in refused]
    return [*asked, nested, *(_refusal(make, schema) for schema in refused)]


def _refusal(make: Callable[..., str], schema: Any) -> object:
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


def probe_shared_text(lab: Any) -> list[object]:
    wide = Dfa([0, 97, 110], [-1, 0, -1], [[1], [-1]], 0, [False, True])
    narrow = Dfa([0, 109, 120], [-1, 0, -1], [[1], [-1]], 0, [False, True])
    long = _dfa([(0, 1, 0), (1, 1, 2), (-1, -1, -1)], {2})
    lists = [
        [A],
        [A, B],
        [AB_OR_C, ENDS_IN_C],
        [NONE],
        [EMPTY],
        [],
        [wide, narrow],
        [LATE_A, A],
        [long, SOME_B],
        [long],
    ]
    two_ways = _dfa([(1, 2, -1), (-1, -1, -1), (3, -1, -1), (-1, -1, -1)], {1, 3})
    only_b = Dfa([0, 98, 99], [-1, 0, -1], [[1], [-1]], 0, [False, True])

    def ask(automata: Sequence[Dfa]) -> object:
        text = lab.shared_text(automata)
        return (len(text), [_accepts(dfa, text) for dfa in automata]) if isinstance(text, str) else text

    return [attempt(ask, each) for each in [*lists, [two_ways], [only_b]]]


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


def probe_integer_between(lab: Any) -> list[object]:
    texts = [*map(str, range(-120, 121)), "-0", "01", "1.0", "0.0", "1e1", ""]
    pairs = [
        (0, 0),
        (-5, 12),
        (5, 12),
        (-12, -5),
        (0, None),
        (None, 0),
        (-3, None),
        (None, -3),
        (7, None),
        (None, None),
    ]
    return [attempt(lambda *pair: _known(lab.integer_between(*pair), texts), *pair) for pair in [*pairs, (5, 3)]]
