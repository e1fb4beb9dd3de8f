"""Events by JSON pointer, against those that Python's ``json`` leads to once the whole text is there."""

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.showcase.json_reader import LONGEST, JsonReader
from labkit.automata.work import at_most
from labkit.checking.properties import PROPERTY

KEYS = st.text(st.sampled_from('a/~"\\é𝄞\n\ud800 '), max_size=3) | st.text(max_size=4)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | KEYS
VALUES = st.recursive(SCALARS, lambda each: st.lists(each, max_size=4) | st.dictionaries(KEYS, each, max_size=4))


def expected(value, pointer=""):
    """The events of a parsed value, in the order of its text."""
    yield {"pointer": pointer, "event": "begin"}
    if isinstance(value, (dict, list)):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from expected(part, f"{pointer}/{str(step).replace('~', '~0').replace('/', '~1')}")
        yield {"pointer": pointer, "event": "end"}
    else:
        yield {"pointer": pointer, "event": "end", "value": value}


def told(pieces):
    reader = JsonReader()
    return [event for piece in pieces for event in reader.feed(piece)] + reader.finish()


def cut(text, places):
    places = [0, *sorted(places), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


@PROPERTY
@given(value=VALUES, data=st.data())
def test_events_are_those_of_the_parsed_value(value, data):
    """However the text is spelled and wherever it is cut: white space, escapes, halves of a surrogate pair."""
    options = {"ensure_ascii": data.draw(st.booleans()), "indent": data.draw(st.sampled_from([None, 1, "\t\r"]))}
    text = data.draw(st.sampled_from(["", " \n"])) + json.dumps(value, **options)
    pieces = cut(text, data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    wanted = list(expected(json.loads(text)))
    assert told(pieces) == told([text]) == told(text) == wanted
    assert [type(event.get("value")) for event in told(text)] == [type(event.get("value")) for event in wanted]


@PROPERTY
@given(value=VALUES, data=st.data())
def test_a_cut_answer_leaves_open_what_was_open(value, data):
    """The events are the first of the whole text's, and each end comes with the character that brings it."""
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    reader = JsonReader()
    found, wanted = reader.feed(text[:at]), list(expected(value))
    assert found == wanted[: len(found)]
    after = [len(JsonReader().feed(text[:n])) for n in range(at + 1)]
    assert after == sorted(after) and after[-1] == len(found)


def test_each_event_comes_at_its_character():
    reader = JsonReader()
    found = [(char, [(each["pointer"], each["event"]) for each in reader.feed(char)]) for char in '{"a":[1, "x"]}']
    assert [each for each in found if each[1]] == [
        ("{", [("", "begin")]),
        ("[", [("/a", "begin")]),
        ("1", [("/a/0", "begin")]),
        (",", [("/a/0", "end")]),
        ('"', [("/a/1", "begin")]),
        ('"', [("/a/1", "end")]),
        ("]", [("/a", "end")]),
        ("}", [("", "end")]),
    ]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000], ids=["too large", "too small", "many digits"])
def test_a_number_that_is_no_value_ends_without_one(number):
    assert told(f"[{number}]")[1:3] == [{"pointer": "/0", "event": "begin"}, {"pointer": "/0", "event": "end"}]


def test_what_is_no_json_raises_nothing():
    """Where no mask sees to it that calls of tools are JSON, what is told is of no use, but the stream goes on."""
    rng = random.Random(0)
    for _ in range(3000):
        told(rng.choices('{}[],:"\\ue1-ntfNaI \n\x00', k=12))
        assert json.dumps(told(rng.choices('{}[],:"\\u1 N', k=12)), allow_nan=False)


# Work -------------------------------------------------------------------------------------------------


def work(pieces):
    """What is told, and how much was read, joined and written for it."""
    with at_most(10**12) as limit:
        events = told(pieces)
    return events, limit.most - limit.left


@pytest.mark.parametrize(
    "text",
    [
        lambda n: '["' + "x" * n + '"]',
        lambda n: '["' + "\\u00e9" * (n // 6) + '"]',
        lambda n: '{"' + "x" * n + '":1}',
        lambda n: "[" + "1," * (n // 2) + "1]",
        lambda n: "[" + "8" * n + "]",
        lambda n: "[" + " " * n + "]",
        lambda n: '{"' + "x" * (n // 2) + '":[' + "1," * (n // 4) + "1]}",
    ],
    ids=["text", "escapes", "key", "items", "digits", "white space", "items below a long key"],
)
def test_the_work_is_linear_in_the_text(text):
    """50 kB in pieces of one character, of seven and as one; twice the text is twice the work."""
    for size in (1, 7, 10**6):
        short, long = (work(cut(text(n), range(size, n, size))) for n in (25_000, 50_000))
        assert long[1] <= 2.2 * short[1] <= 2.2 * 350_000
        assert sum(len(event["pointer"]) for event in long[0]) <= 300_000


def test_a_thousand_levels():
    text = '{"a":[' * 500 + "7" + "]}" * 500
    events, spent = work(text)
    assert len(events) == 2 * 1001 and events[1000] == {"pointer": "/a/0" * 500, "event": "begin"}
    assert [event["pointer"] for event in events[:1001]] == [event["pointer"] for event in events[:1000:-1]]
    assert spent <= 2 * LONGEST * 1001


def test_what_has_too_long_a_pointer_is_not_told_nor_what_is_in_it():
    key = "~" * (LONGEST // 2)
    assert [event["pointer"] for event in told(f'[{{"{key}":[1]}},2]')] == ["", "/0", "/0", "/1", "/1", ""]
    assert len(told("[" * 50_000 + "]" * 50_000)) == 2 * (LONGEST // 2 + 1)
