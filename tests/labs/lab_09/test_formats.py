"""What lab 09 gives: reading a ``response_format``, fingerprints of vocabularies, the sizes that nobody chose."""

import json
from itertools import combinations

import pytest

from labkit.reading import Reading
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import (
    read_response_format,
    vocabulary_fingerprint,
)

AB = {"type": "object", "properties": {"a": {"type": "null"}, "b": {"const": 1}}}


def openai(**inner):
    """A response_format as OpenAI's client sends it."""
    return {"type": "json_schema", "json_schema": inner}


@pytest.mark.parametrize(
    ("asked", "closed", "order", "whitespace", "implied"),
    [
        ({"type": "json_schema", "schema": AB}, True, "schema", "flexible", True),
        (openai(name="ab", description="two", strict=True, schema=AB), True, "schema", "flexible", True),
        (openai(schema=AB, strict=None), True, "schema", "flexible", True),
        (openai(schema=AB, order="any"), True, "any", "flexible", True),
        (openai(schema=AB, strict=False, whitespace="compact"), False, "schema", "compact", True),
        (openai(schema=AB, reading="form"), True, "schema", "flexible", True),
        (openai(schema=AB, reading="validator"), False, "any", "flexible", False),
        (openai(schema=AB, reading="validator", strict=True, order="schema"), True, "schema", "flexible", False),
    ],
    ids=str,
)
def test_response_format_json_schema(asked, closed, order, whitespace, implied):
    before = json.dumps(asked)
    found = read_response_format(asked)
    assert (found.kind, found.value, found.closed) == ("json_schema", AB, closed)
    assert (found.order, found.whitespace, found.implied) == (order, whitespace, implied)
    assert found.reading == Reading(closed, order, implied)
    assert json.dumps(asked) == before and found.source == json.dumps(AB), "names are no part of the source"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"type": "regex", "pattern": ""}, ("regex", "")),
        ({"type": "regex", "pattern": "é\n\ud800"}, ("regex", "é\n\ud800")),
        ({"type": "choice", "choices": ("a", "")}, ("choice", ["a", ""])),
        ({"type": "json_schema", "schema": False}, ("json_schema", False)),
        (
            {"type": "json_schema", "schema": {"const": {"json_schema": 1}}},
            ("json_schema", {"const": {"json_schema": 1}}),
        ),
        ({"type": "grammar", "grammar": "root ::= root"}, ("grammar", "root ::= root")),
        ({"type": "json_object"}, ("json_object", None)),
        ({"type": "text"}, None),
    ],
    ids=str,
)
def test_response_format_regex(asked, expected):
    """Each type, with the one field that it needs; parsed from JSON too, whose strings are other objects."""
    for each in (asked, json.loads(json.dumps(asked))):
        found = read_response_format(each)
        assert (found and (found.kind, found.value)) == expected
        assert found is None or (found.closed, found.order, found.whitespace) == (True, "schema", "flexible")


REFUSED = [
    {},
    {"type": None},
    {"type": "xml"},
    {"type": ["regex"], "pattern": "a"},
    {"type": "regex"},
    {"type": "regex", "pattern": None},
    {"type": "regex", "pattern": "a", "choices": ["a"]},
    {"type": "regex", "pattern": "a", "flags": "i"},
    {"type": "choice", "choices": []},
    {"type": "choice", "choices": "ab"},
    {"type": "choice", "choices": ["a", 1]},
    {"type": "json_schema"},
    {"type": "json_schema", "schema": "{}"},
    {"type": "json_schema", "json_schema": None},
    {"type": "json_schema", "schema": {}, "json_schema": {"schema": {}}},
    {"type": "json_schema", "json_schema": {"schema": {}}, "strict": True},
    openai(schema=AB, order="sorted"),
    openai(schema=AB, order=None),
    openai(schema=AB, whitespace=None),
    openai(schema=AB, reading="parser"),
    openai(schema=AB, reading=["form"]),
    openai(name="ab"),
    openai(schema={}, pattern="a"),
    openai(json_schema={"schema": {}}),
    {"type": "json_object", "schema": {}},
    {"type": "text", "json_schema": {}},
]


@pytest.mark.parametrize("asked", REFUSED, ids=str)
def test_response_format_invalid_type(asked):
    """An unknown type, a field that is missing, of a wrong type, or one too many: an error, never a guess."""
    with pytest.raises(ValueError, match="response_format"):
        read_response_format(asked)


THREE = [b"a", b"bc", b"</s>"]
NEARLY = [
    Vocabulary(THREE, eos_id=2),
    Vocabulary([b"ab", b"c", b"</s>"], eos_id=2),
    Vocabulary([b"bc", b"a", b"</s>"], eos_id=2),
    Vocabulary(THREE, eos_id=1),
    Vocabulary(THREE, eos_id=2, special_ids=[0]),
    Vocabulary(THREE, eos_id=2, special_ids=[1]),
    Vocabulary(THREE, eos_id=1, special_ids=[2]),
    Vocabulary([*THREE, b""], eos_id=2),
    Vocabulary([b"a", b"b\xff", b"</s>"], eos_id=2),
    Vocabulary([b"a", b"b\xfe", b"</s>"], eos_id=2),
    # No byte can stand between two tokens, for each may be in a token; and a length may need more than one byte.
    *(Vocabulary(t, eos_id=2) for c in (b" ", b",", b"\n") for t in ([b"a" + c, b"b", b""], [b"a", c + b"b", b""])),
    Vocabulary([bytes(256), b"", b"</s>"], eos_id=2),
    Vocabulary([b"", bytes(256), b"</s>"], eos_id=2),
    # A length of two digits may look like one of one digit and a token that begins with a digit.
    Vocabulary([b"1", b"xxxxxxxxx1z", b"</s>"], eos_id=2),
    Vocabulary([b"11xxxxxxxxx", b"z", b"</s>"], eos_id=2),
    # A long vocabulary's repr shows its sizes alone.
    Vocabulary([b"%d" % i for i in range(40)], eos_id=2),
    Vocabulary([b"%d" % (i or 77) for i in range(40)], eos_id=2),
]


def test_vocabularies_that_differ_have_different_fingerprints():
    """Tokens, their order and their borders, EOS and the special ids: each of them changes masks."""
    for one, other in combinations(NEARLY, 2):
        assert vocabulary_fingerprint(one) != vocabulary_fingerprint(other), (one, other)
    assert len(vocabulary_fingerprint(NEARLY[0])) == 64


@pytest.mark.parametrize("ids", [[8, 0, 16], [16, 0, 8], [0, 8, 16, 8]])
def test_equal_vocabularies_have_equal_fingerprints(ids):
    tokens = [b"%d" % i for i in range(20)]
    one, other = (Vocabulary(tokens, eos_id=3, special_ids=special) for special in (ids, [8, 16, 0]))
    assert vocabulary_fingerprint(one) == vocabulary_fingerprint(other)
