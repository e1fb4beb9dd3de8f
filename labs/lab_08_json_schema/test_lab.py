"""Tests of lab 08. The oracles are ``json``, ``jsonschema``, brute force over small texts, and plain data.

A tree or an automaton is judged by what it matches, never by how it's built. A tree is written as an expression, which
``re.fullmatch`` runs, and partial matches of ``regex`` show where it stops.
"""

import json
import random
import re
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from typing import get_args

import pytest
from hypothesis import settings
from jsonschema import Draft202012Validator
from regex import fullmatch as match_partly

from labkit.automata.dfa import BYTES, DEAD, MAX_DFA_STATES, Dfa
from labkit.automata.syntax import Node
from labkit.automata.trees import EMPTY, NOTHING, Whitespace, char, choice, optional, regex_of, size_of
from labkit.checking import check_equal, check_type, describe_walk
from labkit.checking.calls import check_raises, reporting
from labkit.checking.properties import PROPERTY
from labkit.checking.showing import cut, shown
from labkit.errors import LimitExceeded, SchemaError
from labkit.oracles.automata import (
    accepts,
    any_automata,
    closed,
    dfa_of_texts,
    dfa_over,
    fewest_states,
    reached,
    walk,
)

COMPACT = Whitespace(edge=EMPTY, comma=char(","), colon=char(":"))

SIGNS = Whitespace(edge=optional(char("_")), comma=char(";"), colon=char(":"))
"""A visible white space policy: an optional _ at either end inside brackets; and the comma is a semicolon."""

FEWER = settings(PROPERTY, max_examples=30)


# What JSON and JSON Schema say ----------------------------------------------------------------------


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def read(text: str):
    """Return the value of a JSON text, and an objection if it isn't one.

    That's by RFC 8259, which has neither NaN nor half pairs; ``json.loads`` has both.
    """
    try:
        value = json.loads(text, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return None, "it holds half of a surrogate pair"
    except ValueError as error:
        return None, f"json does not read it: {error}"
    return value, ""


def json_says(text: str) -> str:
    """Describe how ``json`` reads a text."""
    value, problem = read(text)
    length = f", a string of length {len(value)}" if isinstance(value, str) else ""
    return problem or f"json reads it as {value!r}{length}"


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def verdict(schema, text: str) -> str:
    """Return the objection of ``json`` or ``jsonschema`` to a text; empty if both accept it."""
    value, problem = read(text)
    errors = [] if problem else _validator(json.dumps(schema)).iter_errors(value)
    return problem or next((f"jsonschema says: {error.message}" for error in errors), "")


def is_of(value, kind: str | None) -> bool:
    """Return whether ``jsonschema`` finds a value to be of a type; None means any type."""
    return kind is None or _validator("{}").is_type(value, kind)


def written(value, whitespace: str = "flexible") -> list[str]:
    """Return what ``json.dumps`` writes for a value: compact, by default and indented; in ASCII and not."""
    styles = [{"separators": (",", ":")}] + [{}, {"indent": 2}] * (whitespace == "flexible")
    return list(dict.fromkeys(json.dumps(value, ensure_ascii=only, **style) for style in styles for only in (0, 1)))


# Asking a tree --------------------------------------------------------------------------------------


def ask(lab, name: str, *args, **keywords) -> tuple[re.Pattern, str]:
    """Call a function of the lab; return its tree as an expression, compiled, and the call as text."""
    named = [f"{key}={told(value)}" for key, value in keywords.items() if not callable(value)]
    what = f"{name}({', '.join(cut(each, 0) for each in [*map(told, args), *named])})"
    copies = deepcopy(args)
    with lab.in_place(), reporting(what):
        tree = getattr(lab, name)(*copies, **keywords)
    check_equal(copies, args, f"{what} must not change its arguments; after the call")
    if name != "json_schema_to_regex":
        check_type(tree, get_args(Node), what)
        check_size(tree, what)
    pattern = tree if isinstance(tree, str) else regex_of(tree)
    return re.compile(pattern), what


MOST_NODES = 20_000


def check_size(tree: Node, what: str, most: int = MOST_NODES) -> None:
    """Assert that a tree has at most so many nodes; a shared node counts once."""
    if (size := size_of(tree, most)) > most:
        raise AssertionError(f"{what} has more than {most:,} nodes, {size:,} so far; let them share what follows")


def apart(line: str) -> list[str]:
    """Split a line into texts at double spaces."""
    return line.split("  ")


def expect(right=(), wrong=()) -> dict[str, bool]:
    """Return whether each text must match."""
    return dict.fromkeys(wrong, False) | dict.fromkeys(right, True)


def spelled(text: str) -> str:
    """Return a text unchanged, or its ``repr`` if it isn't printable."""
    return (text if text.isprintable() else f"{text!r} in Python") or "the empty text"


def in_short(text: str) -> str:
    """Return a text, or its start and its length."""
    return spelled(text) if len(text) <= 100 else f"{spelled(cut(text, 0, 60))}  ({len(text):,} characters)"


def plainness(text: str) -> tuple:
    """Return a sort key: short texts first, then those that are easy to read."""
    return len(text), not text.isprintable(), not text.isascii(), [char.lower() for char in text], text.swapcase()


def stops(pattern: str, text: str) -> str:
    """Describe where an expression stops in a text that it must match, by partial matches."""
    lengths = range(len(text), -1, -1)
    along = next((n for n in lengths if match_partly(pattern, text[:n], partial=True)), 0)
    there = f"cannot continue with {text[along:][:20]!r}" if along < len(text) else "needs more text"
    return f"it matches {in_short(text[:along])}, then {there}" if along else "it stops at the first character"


def check_verdicts(matches, what: str, expected: dict[str, bool], why, yours) -> None:
    """Assert which texts match; report the plainest wrong one, with what ``why`` and ``yours`` say of it."""
    wrong = [text for text, match in expected.items() if matches(text) != match]
    if wrong:
        text = min(wrong, key=plainness)
        must = f"{what} {'must' if expected[text] else 'must not'} match"
        more = [f"(In all, {len(wrong)} of {len(expected)} texts are wrong.)"] * (len(wrong) > 1)
        lines = [must, f"    {in_short(text)}", f"    {cut(why(text), 0)}", *yours(text), *more]
        raise AssertionError("\n".join(lines))


def check_texts(regex: re.Pattern, what: str, expected: dict[str, bool], why=json_says) -> None:
    """Assert which texts an expression matches."""

    def yours(text: str) -> list[str]:
        there = [f"             {stops(regex.pattern, text)}"] * expected[text]
        if regex.pattern == regex_of(NOTHING):
            return ["    yours    NOTHING, which matches no text"]
        return [f"    yours    {spelled(cut(regex.pattern, 0, 200))}", *there]

    check_verdicts(lambda text: regex.fullmatch(text) is not None, what, expected, why, yours)


def corruptions(text: str, chars: str) -> set[str]:
    """Return all texts that differ from a text by one character: removed, inserted or replaced."""
    spots = range(len(text) + 1)
    shorter = {text[:i] + text[i + 1 :] for i in spots}
    longer = {text[:i] + char + text[i + rest :] for i in spots for char in chars for rest in (0, 1)}
    return (shorter | longer) - {text}


@cache
def short_texts(alphabet: str, longest: int) -> tuple[str, ...]:
    """Return all texts over the alphabet of at most ``longest`` characters, the shortest first."""
    return tuple("".join(chars) for length in range(longest + 1) for chars in product(alphabet, repeat=length))


def within(least: int, length: int, most: int | None) -> bool:
    """Return whether a length is within bounds."""
    return least <= length and (most is None or length <= most)


SOME_TEXTS = ("", '""', "[]", "{}", "null", "true", "0", "1", "-1", '"a"', "[1]", '{"a":1}', "a", " ")
"""One text of every kind, for expressions that must match nothing."""


# string_tree ---------------------------------------------------------------------------------------


def is_string(text: str, least: int, most: int | None) -> bool:
    """Return whether ``json`` reads a text as a string of an allowed length, with nothing around it."""
    value, _ = read(text)
    return isinstance(value, str) and text == text.strip() and within(least, len(value), most)


def check_strings(lab, texts, least: int = 0, most: int | None = None) -> None:
    """Assert which of some texts match as strings of these lengths."""
    regex, what = ask(lab, "string_tree", least, most)
    check_texts(regex, what, {text: is_string(text, least, most) for text in texts})


def quoted(texts) -> list[str]:
    """Return each text between quotes."""
    return [f'"{text}"' for text in texts]


EDGES = [0xD7FF, 0xD800, 0xD83D, 0xDA0A, 0xDBFF, 0xDC00, 0xDE00, 0xDEAD, 0xDFFF, 0xE000]
CODES = [*range(0x300), *range(0xCFF0, 0xE100), *range(0x2000, 0x2070), *range(0x300, 0x10000, 61), 0xFFFF]
FORMS = {
    "raw": [*map(chr, CODES), *map(chr, range(0x10000, 0x110000, 977)), "\U0010ffff"],
    "short escapes": ["\\" + chr(n) for n in range(256)],
    "long escapes": [rf"\u{code:04{case}}" for code in CODES for case in "xX"] + [r"\u00eF", r"\uD8aA", r"\uaBcD"],
    "long escapes that are none": [
        *apart(r"\u00e  \u00eg  \u  \U00e9  \x41  \u 0e9  \u+0e9  \u00e9a  \u{e9}"),
        "\\u٣000",
    ],
    "surrogate pairs": [rf"\u{i:{a}}\u{j:{b}}" for i, j in product(EDGES, repeat=2) for a, b in ("xx", "xX", "XX")],
    "half pairs": ["\\ud83d\ude00", "\ud83d\\ude00", *apart(r"\ud83d\u0041  \ud83da  \ud83d\n  \ud83d\\  \ud83dude00")],
}


@pytest.mark.todo("string_tree")
@pytest.mark.parametrize(("least", "most"), [(0, None), (1, 1), (0, 0), (2, 3), (3, 2)])
def test_so_many_characters(lab, least, most):
    """A string has quotes around its characters, and both bounds are included. If they cross, no string matches."""
    check_strings(lab, [*quoted("a" * n for n in range(6)), "aa", '"', ""], least, most)


@pytest.mark.todo("string_tree")
@pytest.mark.parametrize("form", FORMS)
def test_one_character_in_each_form(lab, form):
    """A character may be raw, a short escape, a long escape or a surrogate pair. Half a pair isn't a character."""
    check_strings(lab, quoted(FORMS[form]), 1, 1)


SPELLINGS = [*apart(r"""a  é  😀  '  \"  \\  \/  \n  \u00e9  \u0041  \ud83d\ude00  \uD83D\uDE00"""), " "]
"""One character each, written with one to twelve characters."""


BOUNDS = [(0, None), (1, None), (3, None), (0, 0), (0, 1), (0, 3), (1, 1), (2, 2), (2, 4), (5, 5)]
CROSSED = [(1, 0), (3, 2), (9, 1)]


@pytest.mark.todo("string_tree")
@pytest.mark.parametrize(("least", "most"), BOUNDS + CROSSED)
def test_lengths_are_counted_in_characters(lab, least, most):
    """Count an escape as one character, and a surrogate pair as one, too. If the bounds cross, no string matches."""
    texts = quoted(spelling * n for spelling in SPELLINGS for n in range(8))
    texts += quoted(f"a{spelling}{other}" for spelling, other in product(SPELLINGS, repeat=2))
    check_strings(lab, [*texts, *SOME_TEXTS], least, most)


# number_tree ---------------------------------------------------------------------------------------


@cache
def number_fault(text: str, integer: bool) -> str:
    """Return why a text is not a number, or not a canonical integer; empty if it is."""
    value, problem = read(text)
    if problem or text != text.strip():
        return problem or "white space is not part of a number"
    if integer and (type(value) is not int or text == "-0"):
        return "zero has no sign" if text == "-0" else "an integer has neither fraction nor exponent"
    return "" if type(value) in (int, float) else "that is not a number"


def check_numbers(lab, texts, integer: bool) -> None:
    """Assert which of some texts match as numbers, or as integers."""
    regex, what = ask(lab, "number_tree", integer=integer)
    faults = {text: number_fault(text, integer) for text in texts}
    check_texts(regex, what, {text: not fault for text, fault in faults.items()}, lambda t: faults[t] or json_says(t))


KINDS = pytest.mark.parametrize("integer", [True, False], ids=["integer", "number"])


@pytest.mark.todo("number_tree")
@KINDS
def test_every_short_number(lab, integer):
    """A number is what JSON calls one. An integer has one form alone: no fraction, no exponent, and never -0."""
    check_numbers(lab, short_texts("-+.eE019", 4) + short_texts("-0.1", 6), integer)


@pytest.mark.todo("number_tree")
@KINDS
def test_numbers_and_what_is_none(lab, integer):
    """Any number of digits will do, but only 0 to 9. No leading zero, no plus in front, no white space around it."""
    texts = apart("-907  10  -10.025  1.5E-300  -0.0e+00  6.02214076e23  1E400  -0  01  1.  .5  +1  --1  1e+  1e5.5")
    texts += apart('1,5  1x5  0x1f  1_000  NaN  -Infinity  -  true  "1"  \u0663  1\u0663  \uff11  1.\u0663  1e\u0663')
    texts += [" 1", "1 ", "1\n", "", "1 2", *(before + "1234567890" * 20 for before in ("", "-", "0.", "1e"))]
    check_numbers(lab, texts, integer)


# object_tree ---------------------------------------------------------------------------------------


def object_fault(text: str, members, comma: str) -> str:
    """Return why a text is not an object of these members with commas like this; empty if it is."""
    inside, names = text[1:-1], []
    if text != f"{{{inside}}}":
        return "an object starts and ends with a brace"
    if inside not in ("", "_"):
        names = inside.removeprefix("_").removesuffix("_").split(comma)
    order = [name for name, _ in members]
    if not {*names} <= {*order}:
        rule = "one ; between two of them, and an optional _ at either end"
        return f"inside the braces are members, {rule if comma == ';' else 'one comma between two of them'}"
    if names != [name for name in order if name in names]:
        return f"the members come in the order {', '.join(order)}, each at most once"
    missing = [name for name, required in members if required and name not in names]
    return f"{missing[0]} is required" if missing else ""


def check_objects(lab, members, insides, spell=lambda name: name, space=SIGNS) -> None:
    """Assert which of some texts match between braces as objects of the members, each of them a letter."""
    comma = ";" if space is SIGNS else ","
    asked = [(choice(list(map(char, spell(name)))), required) for name, required in members]
    regex, _ = ask(lab, "object_tree", asked, space)
    what = f"object_tree of {', '.join(name if required else f'{name}?' for name, required in members) or 'no members'}"
    what += ", in which ; is the comma and _ white space," if space is SIGNS else ""
    texts = [*(f"{{{inside}}}" for inside in insides), "{a", "a}", "a", "B}", "A;b", ""]
    faults = {text: object_fault(text if spell("a") == "a" else text.lower(), members, comma) for text in texts}
    expected = {text: not fault for text, fault in faults.items()}
    right = "every required member is there, in order"
    check_texts(regex, what, expected, lambda text: faults[text] or right)


def patterns_of(*choices: str):
    """Parametrize a test with the members of these names, in all patterns of required and optional."""
    needed = [(names, each) for names in choices for each in product((False, True), repeat=len(names))]
    made = [list(zip(names, each, strict=True)) for names, each in needed]
    ids = [" ".join(name if required else f"{name}?" for name, required in members) or "none" for members in made]
    return pytest.mark.parametrize("members", made, ids=ids)


@pytest.mark.todo("object_tree")
@patterns_of("ab", "abc")
def test_one_comma_between_two(lab, members):
    """One comma goes between two members that are there, and none anywhere else. Only a member with a ? may be missing.

    If all of them may be missing, the object may be empty.
    """
    check_objects(lab, members, short_texts("abc,", 5), space=COMPACT)


@pytest.mark.todo("object_tree")
@patterns_of("ab", "")
def test_every_short_object(lab, members):
    """Put ``space.edge`` inside each brace, but only once if it's empty, and ``space.comma`` between two members.

    A member that's ``a`` or ``A`` is one of the two, in every place.
    """
    check_objects(lab, members, [*short_texts("ab;_", 5), "  ", "{}", "a,b"])
    check_objects(lab, members, short_texts("aAbB;", 4), spell=lambda name: name + name.upper())


@pytest.mark.todo("object_tree")
@patterns_of("abcd")
def test_commas_for_every_subset(lab, members):
    """Whichever members are missing, there's one comma between two that are there, and none anywhere else."""
    rows = [row for n in range(5) for row in combinations("abcd", n)]
    rows += [row[::-1] for row in rows] + [(*row, row[0]) for row in rows if row]
    check_objects(lab, members, [inside for row in rows for inside in with_commas(row)])


def with_commas(row):
    """Yield a row as it should be, with a comma too many at either end, and with none or two in one gap."""
    right = ";".join(row)
    yield from (right, f";{right}", f"{right};", f"_;{right}", f"{right};_", f"_{right}_")
    for gap in range(1, len(row)):
        before, after = ";".join(row[:gap]), ";".join(row[gap:])
        yield from (f"{before}{between}{after}" for between in ("", ";;", ";_", "_;", ","))


@pytest.mark.todo("object_tree")
def test_many_optional_members(lab):
    """Twenty optional members have a million subsets. You can't list them, so let the members share what follows."""
    members = [(name, False) for name in "abcdfghijklmnopqrstu"]
    tree = lab.object_tree([(char(name), required) for name, required in members], SIGNS)
    check_size(tree, "object_tree of 20 members", 2000)
    names = "".join(name for name, _ in members)
    rows = [names, names[::2], names[::-1], names[1:], names[:-1], *apart("o  ao  oa  aa  cd"), "", "afn"]
    check_objects(lab, members, [inside for row in rows for inside in with_commas(row)])


# json_schema_to_regex: each type, alone and within others -------------------------------------------


def check_schema(lab, schema, good=(), bad=(), odd=None) -> None:
    """Assert what the expression of a schema matches, with both policies of white space.

    Args:
        good: values that satisfy the schema, keys in its order; each is written in all the forms of ``json.dumps``.
        bad: texts that are not JSON, or do not satisfy the schema.
        odd: texts that satisfy the schema but must not match, each with the reason.
    """
    odd = odd or {}
    for text in (*bad, *odd, *map(json.dumps, good)):  # first the test's own data
        assert bool(verdict(schema, text)) == (text in bad), f"{text} is not what this test takes it for, by {schema}"
    for whitespace in ("compact", "flexible"):
        regex, what = ask(lab, "json_schema_to_regex", schema, whitespace=whitespace)
        loose = {text: "compact has no white space" for value in good for text in written(value)}
        right = [text for value in good for text in written(value, whitespace)]
        spaced = {text: why for text, why in loose.items() if text not in right}
        reasons = odd if whitespace == "flexible" else spaced | odd
        check_texts(
            regex, what, expect(right, [*bad, *reasons]), lambda text, why=reasons: reason_for(schema, text, why)
        )


def reason_for(schema, text: str, reasons=None) -> str:
    """Return the objection to a text, or, if ``jsonschema`` accepts it, why it must not match."""
    but = f"; but {reasons[text]}" if reasons and text in reasons else ""
    return verdict(schema, text) or f"json reads it, and jsonschema accepts it{but}"


def obj(required=None, /, **properties):
    """Return the schema of an object; all keys are required unless ``required`` names some."""
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


STRING, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
BOOLEAN, NULL = {"type": "boolean"}, {"type": "null"}
ARRAY = {"type": "array", "items": INTEGER}
ORDER = "keys are written in the order of the schema"
EXTRA = "an undeclared key is not written"
SCHEMA = pytest.mark.todo("schema_tree")


@pytest.mark.todo("string_tree")
def test_string_type(lab):
    """A JSON string has quotes around it, and its special characters are escaped."""
    good = ["", "a", 'say "hi"', "C:\\new", "tab\t", "nul\x00", "é😀", "a/b", "\x7f\u2028", "{}", "x" * 300]
    bad = [*apart(r""""  "a  a"  'a'  "a"b"  "\x"  "\ud83d"  "\ude00\ud83d"  null  1  []"""), "", '"a\nb"', '"\x1f"']
    odd = {' "a"': "no white space before the value", '"a"\n': "no white space after the value"}
    check_schema(lab, STRING, good, bad, odd)


@pytest.mark.todo("number_tree")
def test_number_type(lab):
    """A JSON number may have a fraction and an exponent."""
    good = [0, -0.0, 1, -17, 10, 1.5, -0.25, 1e22, 1.5e-7, 12345678901234567890]
    check_schema(lab, NUMBER, good, [*apart('01  1.  .5  +1  1e  -  NaN  "1"  true  null  0x1  1,5  1 2'), ""])


@pytest.mark.todo("number_tree")
def test_integer_type(lab):
    """An integer has one form: no fraction, no exponent, no leading zero, and no sign in front of 0."""
    odd = {"1.0": "an integer has no fraction", "1e2": "an integer has no exponent", "-0": "zero has no sign"}
    bad = [*apart('1.5  01  -01  +1  1.  .5  -  "1"  true  --1  1e-1  1 2'), ""]
    check_schema(lab, INTEGER, [0, 1, -1, 10, -987, 12345678901234567890], bad, odd)


@SCHEMA
def test_simple_object(lab):
    """An object has its declared members and no others. Here it needs the one that it has, a string."""
    bad = apart('{}  {"name"}  {"name":}  {"name": 1}  {name: "a"}  {"name": "a",}  {"name": "a"  "name": "a"  []')
    odd = {'{"name": "a", "x": 1}': EXTRA, '{"name": "a", "name": "b"}': "no key occurs twice"}
    check_schema(lab, obj(name=STRING), [{"name": "a"}, {"name": ""}, {"name": 'q"}'}, {"name": "é"}], bad, odd)


@SCHEMA
def test_object_multiple_fields(lab):
    """Members come in the order of ``properties``. Those that aren't in ``required`` may be missing."""
    schema = obj(["id"], id=INTEGER, name=STRING, age=INTEGER)
    good = [{"id": 1}, {"id": 1, "name": "a"}, {"id": 1, "age": 3}, {"id": 1, "name": "a", "age": 3}]
    bad = apart('{}  {"name":"a"}  {"id":1,}  {"id":1"age":3}  {"id":1,,"age":3}  {,"id":1}  {"id":1,"age":"3"}')
    check_schema(lab, schema, good, bad, {'{"name": "a", "id": 1}': ORDER, '{"id":1,"age":3,"name":"a"}': ORDER})


@SCHEMA
def test_nested_object(lab):
    """A member may be an object: ``inner`` returns its tree."""
    schema = obj(["user"], user=obj(["id"], id=INTEGER, tag=STRING), ok=BOOLEAN)
    good = [{"user": {"id": 1}}, {"user": {"id": 1, "tag": "a"}, "ok": True}, {"user": {"id": -5}, "ok": False}]
    bad = apart('{"user": {}}  {"user": 1}  {"user": {"id": 1}  {"user": {"id": 1}}}  {"id": 1}  {"user": {"id": 1,}}')
    odd = {'{"ok": true, "user": {"id": 1}}': ORDER, '{"user": {"id": 1, "ok": true}}': EXTRA}
    check_schema(lab, schema, good, bad, odd)


@SCHEMA
def test_array_of_strings(lab):
    """Without bounds, an array has any number of items, even none."""
    bad = [*apart('[1]  ["a",]  [,"a"]  ["a" "b"]  ["a"  "a"  ["a",,"b"]  [,]  [null]  ["a", 1]  {}  [[]]'), ""]
    check_schema(lab, ARRAY | {"items": STRING}, [[], ["a"], ["a", ""], ["é", "]", ",", '"'], ["x"] * 20], bad)


@SCHEMA
def test_boolean_type(lab):
    """A boolean is ``true`` or ``false``, as JSON writes them, alone and as items of an array."""
    check_schema(lab, BOOLEAN, [True, False], [*apart('True  TRUE  1  0  truefalse  "true"  null  tru  t'), ""])
    check_schema(lab, ARRAY | {"items": BOOLEAN}, [[True, False]], ["[1]", "[truefalse]", "true", "[true,false"])


@SCHEMA
def test_null_type(lab):
    """Null is ``null``, as JSON writes it, alone and as an item of an array."""
    check_schema(lab, NULL, [None], [*apart('None  nul  nulll  "null"  0  false  NULL'), ""])
    check_schema(lab, ARRAY | {"items": NULL}, [[], [None, None]], ["[0]", "[nullnull]", "null"])


@SCHEMA
def test_array_of_objects(lab):
    """Items may be objects: ``inner`` returns their tree."""
    good = [[], [{"id": 1}], [{"id": 1}, {"id": 2, "tag": "b"}], [{"id": 1, "tag": "a"}] * 3]
    bad = apart('[{}]  [{"id":1}{"id":2}]  [{"id":1},]  {"id":1}  [{"id":1},{}]  [{"id":1,}]  [{"id":1},1]  ["id"]')
    check_schema(lab, ARRAY | {"items": obj(["id"], id=INTEGER, tag=STRING)}, good, bad)


@SCHEMA
def test_enum_strings(lab):
    """An enum matches its values and nothing else; strings keep their quotes."""
    bad = [*apart('red  "re"  "redgreen"  "red|green"  "Red"  ""  "red""green"  1  null  ["red"]  "red  blue"'), ""]
    check_schema(lab, {"enum": ["red", "green", "blue"]}, ["red", "green", "blue"], bad)


@SCHEMA
def test_enum_mixed(lab):
    """In an enum, each value keeps its own type: ``1`` isn't ``"1"``."""
    values = ["1", 1, 1.5, True, None, -3, "a.b"]
    bad = [*apart('"2"  true1  2  "null"  115  1x5  "axb"  false  -  2.5  "1.5"  True  None  0  3'), ""]
    check_schema(lab, {"enum": values}, values, bad)


@SCHEMA
def test_empty_object(lab):
    """Without declared members, only the empty object matches. The schema may leave out ``required``."""
    odd = {'{"a": 1}': EXTRA, "{  }": "one space is enough", "{\t}": "json.dumps writes no tabs"}
    schema = {"type": "object", "properties": {}}
    check_schema(lab, schema, [{}], ["", "{", "}", "{,}", "[]", "null", "{{}}", "{}{}", '{""}', "{:}"], odd)
    regex, what = ask(lab, "json_schema_to_regex", schema)
    check_texts(regex, what, expect(["{ }", "{\n}", "{\n  }"]), lambda text: reason_for(schema, text))


@SCHEMA
def test_array_min_max_items(lab):
    """``minItems`` and ``maxItems`` are both included: this array has two or three items."""
    bad = apart('[]  [1]  [1,2,3,4]  [1,2,]  [,1,2]  [1,,2]  [1 2]  [1,2  1,2  [1,2,3,4,5,6]  ["1",2]')
    check_schema(lab, ARRAY | {"minItems": 2.0, "maxItems": 3}, [[1, 2], [1, 2, 3], [-1, 0]], bad)


@pytest.mark.todo("string_tree")
def test_string_min_max_length(lab):
    """``minLength`` and ``maxLength`` count characters, however they're written: here, two or three."""
    good = ["ab", "abc", "é\n", "😀😀", '""', "\\\\\\", "\x01\x02", "😀é\t"]
    bad = apart(r'""  "a"  "abcd"  "\n"  "\u00e9"  "\ud83d\ude00"  "\ud83d\ude00\ud83d"  "\n\n\n\n"  "ab  "\\"')
    check_schema(lab, STRING | {"minLength": 2, "maxLength": 3}, good, bad)


@SCHEMA
def test_nested_array_in_object(lab):
    """A member may be an array with bounds of its own."""
    schema = obj(["tags"], tags={"type": "array", "items": STRING, "maxItems": 2}, n=INTEGER)
    good = [{"tags": []}, {"tags": ["a"]}, {"tags": ["a", "b"], "n": 1}, {"tags": [], "n": 0}]
    bad = apart('{}  {"tags":"a"}  {"tags":["a","b","c"]}  {"tags":[1]}  {"tags":[],}  {"tags":["a""n":1}  {"n":1}')
    check_schema(lab, schema, good, bad)


@SCHEMA
def test_boolean_in_object(lab):
    """A member is its key, a colon and one value: here ``true`` or ``false``."""
    bad = apart('false  {"on": true  false}  {"on": truefalse}  {"on": 1}  {"on": "true"}  {}  {"on": True}  true')
    check_schema(lab, obj(on=BOOLEAN), [{"on": True}, {"on": False}], bad)


@SCHEMA
def test_nullable_field(lab):
    """A member may be an enum, and null one of its values."""
    good = [{"name": name, "n": 1} for name in ("ann", None, "bob")]
    bad = apart('{"name":"null","n":1}  {"n":1}  {"name":"eve","n":1}  {"name":ann,"n":1}  null  {"name":,"n":1}')
    check_schema(lab, obj(name={"enum": ["ann", None, "bob"]}, n=INTEGER), good, bad)


@SCHEMA
def test_integer_field_in_object(lab):
    """As a member, an integer has the same one form as elsewhere."""
    bad = apart('{"n": 01}  {"n": }  {"n": 1.5}  {"n": "1"}  {"n": 1, }  {"n": -}  {"n": 1-1}  {"n": null}  {"n": +1}')
    odd = {'{"n": -0}': "zero has no sign", '{"n": 1.0}': "an integer has no fraction"}
    check_schema(lab, obj(n=INTEGER), [{"n": 0}, {"n": -10}, {"n": 123456}], bad, odd)


@SCHEMA
def test_deeply_nested(lab):
    """Objects can be nested three levels deep, and each reads its own ``required``."""
    schema = obj(a=obj(b=obj([], c=INTEGER), d=BOOLEAN))
    good = [{"a": {"b": {}, "d": True}}, {"a": {"b": {"c": 7}, "d": False}}]
    bad = apart('{"a": {"b": {}}}  {"a": {"b": {"c": 7}, "d": 1}}  {"a": {"b": {"c": 7}, "d": true}  {"a": {}}  {}')
    odd = {'{"a": {"d": true, "b": {}}}': ORDER, '{"a": {"b": {}, "d": true}, "c": 7}': EXTRA}
    check_schema(lab, schema, good, bad, odd)


@SCHEMA
def test_all_types_object(lab):
    """Each member matches what its own schema asks for, and nothing else."""
    array = {"type": "array", "items": NUMBER}
    schema = obj(s=STRING, n=NUMBER, i=INTEGER, b=BOOLEAN, z=NULL, a=array, o=obj(x=STRING), e={"enum": [1]})
    value = {"s": "é", "n": 1.5, "i": -2, "b": False, "z": None, "a": [1, 2.5], "o": {"x": ""}, "e": 1}
    good = [value, value | {"n": 1e22, "a": []}, value | {"s": '"', "b": True}]
    wrong = [value | {key: other} for key, other in zip(value, [1, "1", 1.5, None, 0, ["1"], {}, True], strict=True)]
    short = [{other: value[other] for other in value if other != key} for key in value]
    check_schema(lab, schema, good, [json.dumps(each) for each in wrong + short])


@SCHEMA
def test_required_vs_optional(lab):
    """``required`` says which members must be there, and its order doesn't matter. Without it, all may be missing."""
    full = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
    every = [{key: full[key] for key in keys} for n in range(6) for keys in combinations("abcde", n)]
    commas = apart('{"b":2,"d":4,}  {,"b":2,"d":4}  {"b":2,,"d":4}  {"b":2"d":4}  {"b":2,"d":4,,"e":5}')
    for required in (["b", "d"], ["d", "b"], [], ["a", "e"]):
        good = [value for value in every if {*required} <= value.keys()]
        bad = [json.dumps(value) for value in every if value not in good]
        odd = {'{"d":4,"b":2}': ORDER} if {*required} <= {"b", "d"} else {}
        check_schema(lab, obj(required, **dict.fromkeys(full, INTEGER)), good, bad + commas, odd)
    check_schema(lab, {"type": "object", "properties": {"a": INTEGER}}, [{}, {"a": 1}], ['{"a":1,}', "{,}"])


# json_schema_to_regex: enums, keys, white space, the parts ------------------------------------------

BESIDE = [
    ("string", ["a", 1, None, "b"], ["1", "null", '"1"']),
    ("integer", [True, 1, 2.0, 2.5, "1"], ["true", "2.5", '"1"', "0"]),
    ("integer", [0, False, -3], ["false", "3", "-"]),
    ("number", [True, 1, 1.5, "1.5"], ["true", '"1.5"', "1x5"]),
    ("boolean", [1, 0, True, "true", None], ["1", "0", "false", '"true"', "null"]),
    ("null", [None, False, 0, "null", ""], ["false", "0", '"null"', '""', ""]),
]


@SCHEMA
@pytest.mark.parametrize(("kind", "values", "bad"), BESIDE, ids=[f"{kind} {values}" for kind, values, _ in BESIDE])
def test_an_enum_beside_a_type(lab, kind, values, bad):
    """Beside a type, keep only values of that type. True isn't an integer, 1 isn't a boolean, and 2.0 is an integer."""
    check_schema(lab, {"type": kind, "enum": values}, [value for value in values if is_of(value, kind)], bad)


@SCHEMA
def test_schemas_that_no_value_satisfies(lab):
    """If no value can satisfy the schema, nothing matches. An array of impossible items may still be empty."""
    nothing = {"enum": []}
    wrong = [*SOME_TEXTS, *apart('[1,2]  {"a":1,"b":1}  {"a":}  {"a":1,"b":}  [,]  1.5  "aaa"')]
    for schema in (
        *[nothing, {"type": "array", "enum": [1, None]}, {"type": "integer", "enum": [True, 1.5]}],
        *[ARRAY | {"minItems": 2, "maxItems": 1}, ARRAY | {"items": nothing, "minItems": 1}, obj(a=nothing)],
        obj(a=INTEGER, b={"type": "string", "enum": [1]}),
    ):
        check_schema(lab, schema, bad=wrong)
    check_schema(lab, ARRAY | {"items": nothing}, [[]], ["[1]", "[null]", "[,]", '[""]'])
    check_schema(lab, obj(["b"], a=nothing, b=INTEGER), [{"b": 1}], ['{"a":1,"b":1}', '{"a":,"b":1}', "{}"])
    check_schema(lab, ARRAY | {"maxItems": 0}, [[]], ["[1]", "[,]", "[1,2]"])
    check_schema(lab, ARRAY | {"items": STRING | {"maxLength": 0}}, [[""]], ['["a"]', '[" "]', r'["\n"]'])


@SCHEMA
def test_keys_and_enums_with_special_characters(lab):
    """Keys are JSON strings like any other. Write them in the order of ``properties``, not sorted."""
    keys = ["a.b", 'q"q', "x|y", "é", "", "back\\", "new\nline", "😀", "$", "a/b", "\x00"]
    schema = obj(keys[::3], **dict.fromkeys(keys, INTEGER) | {"a.b": {"enum": keys}})
    full = {key: number for number, key in enumerate(keys)}
    good = [full | {"a.b": value} for value in keys] + [{key: full[key] for key in keys[::3]} | {"a.b": "é"}]
    text = json.dumps(good[1])
    bad = [text.replace("a.b", "axb"), text.replace('q\\"q', 'q"q'), json.dumps(full), json.dumps(keys)]
    check_schema(lab, schema, good, bad, {json.dumps(good[1], sort_keys=True): ORDER})


@SCHEMA
def test_white_space_is_where_the_policy_has_it(lab):
    """White space goes where the policy has it: inside brackets, after a comma or a colon. Compact has none."""
    schema = obj(a=ARRAY, b=obj([], c=BOOLEAN))
    odd = {
        ' {"a": [1], "b": {}}': "no white space before the value",
        '{"a" : [1], "b": {}}': "no white space before a colon",
        '{"a":  [1], "b": {}}': "one space is enough after a colon",
        '{"a": [1 ,2], "b": {}}': "no white space before a comma",
        '{"a": [1,\t2], "b": {}}': "json.dumps writes no tabs",
        '{"a": [1],  "b": {}}': "one space is enough after a comma",
        '{"a":\n[1], "b": {}}': "no new line after a colon",
    }
    check_schema(lab, schema, [{"a": [1], "b": {}}, {"a": [], "b": {"c": True}}], ['{"a": [1 2], "b": {}}'], odd)
    loose = ['{ "a": [ ], "b": { } }', '{"a":[ 1, 2 ],\n    "b":{\n}}', '{\n"a":[\n1,\n 2\n],"b": {"c":true }}']
    right = '{"a":[1,2],"b":{"c":true}}'
    loose += [right.replace(sign, f"{sign} ") for sign in "{[,:"] + [right.replace(sign, f" {sign}") for sign in "}]"]
    loose += ['{"a":[1,2],"b":{"c": true}}', '{"a":[1,2],"b":{ "c":true}}']
    for whitespace in ("flexible", "compact"):
        regex, what = ask(lab, "json_schema_to_regex", schema, whitespace=whitespace)
        expected = expect([right]) | dict.fromkeys(loose, whitespace == "flexible")
        reasons = dict.fromkeys(loose, "compact has no white space")
        check_texts(regex, what, expected, lambda text, why=reasons: reason_for(schema, text, why))


NO_TYPE = {"type": "no such type"}
KEYED = obj(["c"], **{"a/b": 1, "m~n": True, "c": "anything"})
KEYED_PARTS = {"/items/properties/a~1b": 1, "/items/properties/m~0n": True, "/items/properties/c": "anything"}
LISTED = ARRAY | {"items": NO_TYPE, "minItems": 2}


@SCHEMA
@pytest.mark.parametrize(
    ("schema", "pointer", "parts", "right", "wrong"),
    [
        (LISTED, "", {"/items": NO_TYPE}, "[1,x]  [x,1,1]", "[1]  [1x]  1,x  [1,2]  [1|x,1|x]"),
        (LISTED, "/$defs/one", {"/$defs/one/items": NO_TYPE}, "[1,x]  [x,1,1]", "[1]  [1x]  1,x  [1,2]  [1|x,1|x]"),
        (KEYED, "/items", KEYED_PARTS, '{"c":3}  {"a/b":1,"m~n":2,"c":x}', '{"a/b":2,"c":3}  {"m~n":x}  x  {"c":3}x'),
    ],
    ids=["items", "items below a pointer", "members"],
)
def test_inner_is_asked_for_every_part(lab, schema, pointer, parts, right, wrong):
    """Call ``inner`` for each inner schema, unchanged, with its pointer. ``below`` makes it, with ``~1`` for ``/``."""
    asked = {}

    def nested(part, where):
        """Return a tree of ``1`` or ``x`` for the first of the parts, ``2`` or ``x`` for the second, and so on."""
        asked[where] = part
        return choice([char(str(list(parts).index(where) + 1 if where in parts else "x")), char("x")])

    regex, what = ask(lab, "schema_tree", schema, space=COMPACT, pointer=pointer, nested=nested)
    check_equal(asked, parts, f"{what}: the schema that you give to inner, for each pointer")
    check_texts(
        regex,
        what,
        expect(apart(right), apart(wrong)),
        lambda text: "inner answered with trees of 1 or x, of 2 or x, and so on",
    )


# json_schema_to_regex: any schema, any value, and what is refused -----------------------------------

LETTERS = 'ab"\\/\n\t\x01\x7fé\u2028😀.*+?()[]{}|^$-, 1'
"""Characters that are special to JSON, to a regular expression, or to neither."""

SCALARS = ["", "a", 'q"', "é\n", None, True, False, 0, 1, -20, 1.5, 2.0, 1e22]


def bounded(rng, least: str, most: str, size: int) -> dict[str, int]:
    """Return bounds that a size is within: both, one of them, or none."""
    bounds = {least: rng.randint(0, size), most: size + rng.randint(0, 2)}
    return {key: bounds[key] for key in bounds if rng.random() < 0.5}


def some_case(rng, depth: int):
    """Return a random schema, and one of its values with the keys in its order."""
    kinds = ("enum", "string", "integer", "number", "boolean", "null", *("array", "object") * 3 * (depth > 0))
    kind = rng.choice(kinds)
    if kind == "string":
        size = rng.randint(0, 4)
        return STRING | bounded(rng, "minLength", "maxLength", size), "".join(rng.choices(LETTERS, k=size))
    if kind == "array":
        (items, value), size = some_case(rng, depth - 1), rng.randint(0, 3)
        return ARRAY | {"items": items} | bounded(rng, "minItems", "maxItems", size), [value] * size
    if kind == "object":
        made = {key: some_case(rng, depth - 1) for key in rng.sample(["a", "b", "a.b", 'q"', "é", "", "x|y"], 3)}
        required, written = ([key for key in made if rng.random() < 0.6] for _ in range(2))
        schema = obj(required, **{key: part for key, (part, _) in made.items()})
        return schema, {key: value for key, (_, value) in made.items() if key in (*required, *written)}
    values = [value for value in SCALARS if kind == "enum" or is_of(value, kind)]
    if kind == "enum":
        values = rng.sample(values, 3)
        return {"enum": values}, rng.choice(values)
    return {"type": kind}, rng.choice([value for value in values if kind != "integer" or type(value) is int])


@pytest.mark.parametrize("whitespace", ["flexible", "compact"])
@SCHEMA
def test_every_value_can_be_written(lab, whitespace):
    """Every valid value matches as ``json.dumps`` writes it. If changing a character makes it invalid, it doesn't."""
    for seed in range(40):
        schema, value = some_case(random.Random(seed), seed // 10)
        regex, what = ask(lab, "json_schema_to_regex", schema, whitespace=whitespace)
        changed = corruptions(json.dumps(value, ensure_ascii=whitespace == "compact")[:60], '1,"\\ }]e-')
        expected = {text: not verdict(schema, text) for text in changed if regex.fullmatch(text)}
        expected |= expect(written(value, whitespace))
        check_texts(regex, what, expected, lambda text, schema=schema: reason_for(schema, text))


DEEP = obj([], **{"a/b": ARRAY | {"items": obj([], **{"m~n": {"type": "strin"}})}})
REFUSED = [
    (ARRAY | {"items": STRING | {"pattern": "^a"}}, "UnsupportedSchema at /items/pattern"),
    (obj(k=INTEGER | {"minimum": 0}), "UnsupportedSchema at /properties/k/minimum"),
    (obj(k=ARRAY | {"minItems": -1}), "InvalidSchema at /properties/k/minItems"),
    (ARRAY | {"items": obj(a=STRING) | {"required": "a"}}, "InvalidSchema at /items/required"),
    (ARRAY | {"uniqueItems": True}, "UnsupportedSchema at /uniqueItems"),
    (DEEP, "InvalidSchema at /properties/a~1b/items/properties/m~0n/type"),
]


@SCHEMA
@pytest.mark.parametrize(("schema", "expected"), REFUSED, ids=[expected for _, expected in REFUSED])
def test_a_refusal_names_its_place(lab, schema, expected):
    """Never ignore a keyword. The error's pointer begins with the one you got, and leads to that keyword."""
    ask(lab, "json_schema_to_regex", ARRAY | {"items": obj(k=STRING)})
    for place in ({}, {"pointer": "/$defs/x"}):
        what = f"schema_tree({cut(shown(schema), 0)}{', pointer=/$defs/x' if place else ''})"
        error = check_raises(partial(lab.schema_tree, schema, space=COMPACT, **place), SchemaError, what)
        wanted = expected.replace(" /", " /$defs/x/") if place else expected
        check_equal(f"{type(error).__name__} at {error.pointer}", wanted, what)


# Automata -------------------------------------------------------------------------------------------


automaton = partial(dfa_over, 3)


def trie(*words: str) -> Dfa:
    """Return the automaton of some words over a, b and c, state by state."""
    return dfa_of_texts(words, "abc")


def one_of_range(first: int, last: int) -> Dfa:
    """Return the automaton of one character of a range."""
    bounds = sorted({0, first, *([last + 1] if last < 0x10FFFF else [])})
    return Dfa(bounds, [0 if bound == first else -1 for bound in bounds], [[1], [-1]], 0, [False, True])


def judge(dfa: Dfa):
    """Return a function that says whether the automaton matches a text; it remembers the classes of characters."""
    table, accepting, class_of = dfa.transitions.tolist(), dfa.accepting.tolist(), cache(dfa.class_of)

    def matches(text: str) -> bool:
        state = dfa.initial
        for one in text:
            symbol_class = class_of(ord(one))
            state = DEAD if symbol_class == DEAD else table[state][symbol_class]
            if state == DEAD:
                return False
        return accepting[state]

    return matches


def make(lab, name: str, *args) -> tuple[Dfa, str]:
    """Call a function that returns an automaton, twice if that is quick; return the automaton, and the call as text."""
    what = f"{name}({', '.join(cut(told(arg), 0) for arg in args)})"
    before = told(args)
    with lab.in_place(), reporting(what):
        dfa = getattr(lab, name)(*args)
        check_type(dfa, Dfa, what)
        again = getattr(lab, name)(*args) if len(dfa) < 30 else dfa
    check_equal(told(args), before, f"{what} must not change its arguments; after the call")
    check_equal(repr(again), repr(dfa), f"{what}, called again, must give the same")
    return dfa, what


def told(value) -> str:
    """Return an argument as text; a tree as its expression, in two strokes."""
    if isinstance(value, get_args(Node)) and not isinstance(value, Dfa):
        return f"/{regex_of(value)}/"
    if isinstance(value, Whitespace):
        return "white space"
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return f"[{', '.join(f'({told(tree)}, {required})' for tree, required in value)}]"
    if isinstance(value, Mapping) and any(isinstance(part, Dfa) for part in value.values()):
        return f"{{{', '.join(f'{chr(key)!a}: {part!r}' for key, part in value.items())}}}"
    return shown(value)


def check_matches(dfa: Dfa, what: str, expected: dict[str, bool], why=json_says) -> None:
    """Assert which texts an automaton matches, and that no smaller automaton matches the same."""
    walk = partial(describe_walk, dfa, dfa.initial)
    check_verdicts(judge(dfa), what, expected, why, lambda text: [f"    yours    {cut(walk(text), 0)}"])
    check_equal(len(dfa), fewest_states(dfa), f"the number of states, {what}, which must be minimal")


# product --------------------------------------------------------------------------------------------


CHOICES = {
    "both do": lambda one, other: one and other,
    "either does": lambda one, other: one or other,
    "only one does": lambda one, other: one != other,
    "only the left does": lambda one, other: one and not other,
    "only the right does": lambda one, other: other and not one,
}
"""Functions that combine two verdicts; two times no is always no."""

EVEN_A, ENDS_IN_B = automaton([(1, 0, -1), (0, 1, -1)], {0}), automaton([(0, 1, -1), (0, 1, -1)], {1})
JUST_AB = automaton([(1, -1, -1), (-1, 2, -1), (-1, -1, -1)], {2})
HIGH = Dfa([0, 50, 0x10FFFF], [-1, 0, 1], [[0, 1], [-1, -1]], 0, [True, True])
LOW = Dfa([0, 40, 60], [0, 1, -1], [[1, 0], [1, -1]], 0, [True, False])


def walk_text(dfa: Dfa, text: str) -> str:
    """Return a walk and its verdict, as one line."""
    return f"{describe_walk(dfa, dfa.initial, text)}{' (accepting)' if accepts(dfa, text) else ''}"


def check_product(lab, left: Dfa, right: Dfa, choice: str, over) -> None:
    """Assert that a product says of each text what two verdicts say together."""
    what = f"product that accepts where {choice}, of {told(left)} and {told(right)}"
    before = told([left, right])
    with lab.in_place(), reporting(what):
        dfa = lab.product(left, right, CHOICES[choice])
    check_equal(told([left, right]), before, f"{what} must not change its arguments; after the call")
    check_type(dfa, Dfa, what)
    check_equal(dfa.symbols, left.symbols, f"how many symbols there are, {what}")
    for text in over:
        sides = {"left: ": left, "right:": right, "yours:": dfa}
        walks = partial(lambda sides, text: "\n".join(f"    {n} {walk_text(d, text)}" for n, d in sides.items()), sides)
        expected = CHOICES[choice](accepts(left, text), accepts(right, text))
        if accepts(dfa, text) != expected:
            rule = f"{text!r} must {'' if expected else 'not '}be accepted"
            raise AssertionError(f"{what}: {rule}\n{walks(text)}")
        if [walk(each, each.initial, text)[-1] == DEAD for each in sides.values()] == [True, True, False]:
            rule = "both sides are dead, so yours must be dead too: one of your states is (DEAD, DEAD)"
            raise AssertionError(f"{what}: after {text!r} {rule}\n{walks(text)}")
    check_equal(dfa.initial, 0, f"the initial state, {what}")
    lost = set(range(len(dfa))) - reached(dfa)
    assert not lost, f"{what}: nothing leads to state {min(lost, default=None)}"


@pytest.mark.todo("product")
@pytest.mark.parametrize("choice", CHOICES)
def test_a_pair_may_have_one_dead_side(lab, choice):
    """Ask ``accepts`` about both sides, the left one first. A dead side doesn't accept; the other still has a say."""
    for left, right in ((EVEN_A, ENDS_IN_B), (EVEN_A, JUST_AB), (JUST_AB, ENDS_IN_B), (JUST_AB, JUST_AB)):
        check_product(lab, left, right, choice, short_texts("abc", 4))
    for left, right in zip(any_automata(2, 12, 4, 1), any_automata(2, 12, 4, 2), strict=True):
        check_product(lab, left, right, choice, short_texts("ab", 4))
    check_product(lab, HIGH, LOW, choice, short_texts("\0'(27<\U0010ffff", 3))
    low_bytes = Dfa([0, 128], [0, -1], [[0]], 0, [True], symbols=BYTES)
    check_product(lab, low_bytes, low_bytes, choice, ["", "a"])


@pytest.mark.todo("product")
def test_accepts_is_asked_with_bools(lab):
    """For each pair of states, ask about two bools. The verdict of a side that's dead is False."""
    asked, left, right = set(), EVEN_A, automaton([(1, -1, -1), (2, 3, -1), (-1, 3, -1), (-1, -1, -1)], {3})
    lab.product(left, right, lambda one, other: asked.add((one, type(one), other, type(other))) or one)
    kinds = {kind for question in asked for kind in (question[1], question[3])}
    check_equal(kinds, {bool}, "the types of the arguments of accepts")
    check_equal(
        {(one, other) for one, _, other, _ in asked},
        set(product((False, True), repeat=2)),
        "what accepts is asked about",
    )


@pytest.mark.todo("product")
def test_too_many_pairs_are_refused(lab):
    """Call ``check_table`` for each new pair, with that pair counted: 70,000 are fine, 70,001 aren't.

    Two rings whose lengths share no divisor need a state for every pair.
    """
    into, ring = 43, 263
    left = dfa_over(1, [(state + 1 if state + 1 < into + ring else into,) for state in range(into + ring)], {0})
    for size, pairs in ((266, "70,001"), (29_999, "eight million")):
        right = dfa_over(1, [((state + 1) % size,) for state in range(size)], {0})
        what = f"product of two automata with {pairs} pairs of states (call check_table for each new pair)"
        error = check_raises(partial(lab.product, left, right, CHOICES["both do"]), LimitExceeded, what)
        check_equal(error.limit, MAX_DFA_STATES, f"the limit in the error, {what}")


# splice ---------------------------------------------------------------------------------------------


def spliced(skeleton: Dfa, parts, text: str) -> bool:
    """Return whether a text is one of a skeleton with parts, by all pairs of a state and a place in the text."""

    def more(pair):
        state, at = pair
        steps = [(ord(char), at + 1) for char in text[at : at + 1] if ord(char) not in parts]
        for marker, matches in parts.items():
            steps += [(marker, end) for end in range(at, len(text) + 1) if matches(text[at:end])]
        return {(skeleton.step(state, symbol), end) for symbol, end in steps if skeleton.step(state, symbol) != DEAD}

    found = closed([(skeleton.initial, 0)], more)
    return any(at == len(text) and skeleton.accepting[state] for state, at in found)


WORDS = (*short_texts("abc", 5), "x", "ax", "xa")
"""All short texts over a, b and c; x is a character that no automaton here knows."""

B, C = ord("b"), ord("c")
ANY_TEXT = Dfa([0], [0], [[0]], 0, [True])


def check_spliced(lab, skeleton: Dfa, parts, texts=WORDS) -> None:
    """Assert that a spliced automaton matches the right texts and is minimal."""
    dfa, what = make(lab, "splice", skeleton, parts)
    judges = {marker: judge(part) for marker, part in parts.items()}
    expected = {text: spliced(skeleton, judges, text) for text in texts}
    check_matches(dfa, what, expected, lambda text: "walk the skeleton; on a marker walk its part, then go on")


BRANCHES = automaton([(1, 2, -1), (-1, -1, 3), (-1, -1, 4), (5, -1, -1), (-1, 5, -1), (-1, -1, -1)], {5})
"""``aca|bcb``, state by state: who enters a part here doesn't come out there."""

SPLICES = {
    "a part in a marker's place": [(trie("c"), {C: trie("a", "ab")}), (trie("acb", "b"), {C: trie("a", "ab")})],
    "the same part twice": [
        (trie("cca", "acc", "cb"), {C: trie("ab", "b")}),
        (trie("aca", "bcb"), {C: trie("a", "b")}),
    ],
    "a part in a loop": [
        (automaton([(-1, -1, 1), (-1, 0, -1)], {1}), {C: trie("a", "aa")}),
        (BRANCHES, {C: trie("c")}),
    ],
    "a part that starts in state 1": [(trie("c"), {C: automaton([(-1, -1, -1), (0, -1, -1)], {0}, 1)})],
    "two markers": [(trie("bc"), {C: trie("c", "ac"), B: trie("c")}), (trie("bc"), {C: trie("b"), B: trie("c", "ab")})],
    "no such marker": [(trie("abc", "c"), {0xD800: trie("b"), ord("x"): trie("")}), (trie("ab", "c"), {})],
    "a marker in a range": [(one_of_range(0x61, 0x63), {B: trie("aa"), C: trie("b")}), (ANY_TEXT, {C: trie("ab")})],
}


@pytest.mark.todo("splice")
@pytest.mark.parametrize("case", SPLICES)
def test_a_part_in_place_of_a_marker(lab, case):
    """Put a part's texts in the marker's place. Inside a part, a marker is a character like any other."""
    for skeleton, parts in SPLICES[case]:
        check_spliced(lab, skeleton, parts)


@pytest.mark.todo("splice")
def test_parts_of_nothing_and_of_the_empty_text(lab):
    """If a part matches nothing, its marker leads nowhere. If it matches the empty text, the marker can be skipped."""
    nothing, empty = automaton([(-1, -1, -1)]), automaton([(-1, -1, -1)], {0})
    for skeleton in (trie("c", "a"), trie("acb", "cc"), automaton([(1, -1, 0), (-1, -1, 0)], {1}), trie("c")):
        for part in (nothing, empty, trie("", "b")):
            check_spliced(lab, skeleton, {C: part})


@pytest.mark.todo("splice")
def test_splicing_any_automata(lab):
    """Whatever the skeleton and its parts, each marker gives way to its part's texts. The automaton is minimal."""
    some = any_automata(3, 36, 4, 16)
    for number in range(0, len(some), 3):
        skeleton, part, other = some[number : number + 3]
        check_spliced(lab, skeleton, {C: part}, short_texts("abc", 4))
        check_spliced(lab, skeleton, {C: part, ord("b"): other}, short_texts("abc", 4))


@pytest.mark.todo("splice")
def test_many_places_with_one_way_on(lab):
    """A marker leads from a thousand states to a single one, so let them share a copy. A thousand would be too many."""
    rows = [(state + 1, -1, 1001) for state in range(1000)] + [(-1, -1, -1)] * 2
    dfa, _ = make(lab, "splice", automaton(rows, {1001}), {C: trie("a" * 300)})
    expected = {"a" * length: 300 <= length < 1300 for length in (299, 300, 999, 1299, 1300)}
    what = "splice of a part of 301 states into a skeleton that reads the marker in 1,000 places"
    check_verdicts(judge(dfa), what, expected, lambda text: "from 0 to 999 times a, then 300 times", lambda text: [])


# compare_digits ------------------------------------------------------------------

DECIMAL = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?", re.ASCII)
ORDERS = [(-1,), (0,), (1,), (-1, 0), (0, 1), (-1, 1), (-1, 0, 1), ()]


@cache
def order_of(text: str, bound: str) -> int | None:
    """Return how a plain decimal compares with a bound, by exact values; None if the text is none."""
    if not DECIMAL.fullmatch(text):
        return None
    value, limit = Fraction(text), Fraction(bound)
    return (value > limit) - (value < limit)


def check_compared(lab, bound: str, orders, texts) -> Dfa:
    """Assert which texts have one of some orders to a bound."""
    dfa, what = make(lab, "compare_digits", bound, orders)
    found = {text: order_of(text, bound) for text in texts}
    words = {None: "that is no plain decimal", -1: "it is less", 0: "it is equal", 1: "it is greater"}
    check_matches(dfa, what, {text: found[text] in orders for text in texts}, lambda text: words[found[text]])
    return dfa


BOUNDED = ["17", "2.5", "0.25", "9", "1", "0", "100", "0.09", "99.5", "10", "1.01", "20.02", "17.05", "0.0017"]


@pytest.mark.todo("compare_digits")
@pytest.mark.parametrize("orders", ORDERS[:3], ids=["less", "equal", "greater"])
def test_numbers_beside_the_bound(lab, orders):
    """Before the point, length comes first; after it, the first difference. Stop counting one past the bound's digits.

    Digits may go on for ever, and states may not.
    """
    texts = apart(
        "9  17  17.0  17.4  17.49  17.50  17.51  17.6  18  16.9  175  170  1.75  99  100  5  17.5000  17.5001"
    )
    check_compared(lab, "17.5", orders, [*texts, "1" * 40, "17.4" + "9" * 40])


@pytest.mark.todo("compare_digits")
@pytest.mark.parametrize("bound", BOUNDED)
def test_every_short_decimal(lab, bound):
    """Only plain decimals match, such as 0 or 17.50: no sign, no exponent, no leading zero, no digits left out."""
    texts = [*apart("-1  +1  1e5  00.5  .5  5.  1.5.5  1,5  1_0  \u0663  5\u0663  \uff15   5  5 "), "5\n"]
    texts += apart("89  99.99  17.00000  17.000001  16.999999  17.5  170  18  1.7  16  17.050  17.0500001  17.04999")
    texts += apart("17.1  17.049  17.051  0.0017  0.00170  0.0016  0.00171  0.001")
    for orders in ORDERS[:3]:
        check_compared(lab, bound, orders, [*short_texts("01259.", 4), *texts])


@pytest.mark.todo("compare_digits")
def test_long_bounds_and_any_orders(lab):
    """A few states per digit are enough. The orders come in any collection, even an empty one."""
    bound = "1234567890" * 4 + "." + "0987654321" * 2
    texts = [bound, bound + "0", bound + "1", bound[:-1], bound[:-1] + "2"]
    texts += ["9" * 39, "9" * 40, "1" * 41, "1" + "0" * 39]
    for orders in ORDERS[:2]:
        states = len(check_compared(lab, bound, orders, texts))
        assert states < 150, f"compare_digits of a bound of 60 digits has {states} states; fewer than 150 are enough"
    for orders in [*ORDERS[3:], [1, 0], {0, 1}, frozenset([-1])]:
        check_compared(lab, "2.5", orders, short_texts("025.", 4))
