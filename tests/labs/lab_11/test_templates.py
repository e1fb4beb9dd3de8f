"""What the models' own templates write is read, and may be written under masks: one case for each format."""

import json
import tomllib
from functools import cache
from pathlib import Path

import pytest

from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import fullmatch
from labs.lab_11_tool_calls.given.formats import FORMATS, format_named
from labs.lab_11_tool_calls.given.grammars import spell, spelling
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import read_tools
from labs.lab_11_tool_calls.solution import ToolCallStream, tool_automaton
from tests.labs.lab_11.formats import EXAMPLES
from tests.labs.lab_11.formats import TOOLS as EXAMPLE_TOOLS

CASES = tomllib.loads(Path(__file__).with_name("templates.toml").read_text(encoding="utf-8"))
TRAINS = {"to": "Köln", "seats": 2, "direct": True, "via": ["Bonn", "Aachen"]}
TYPES = {
    "to": {"type": "string"},
    "seats": {"type": "integer"},
    "direct": {"type": "boolean"},
    "via": {"type": "array", "items": {"type": "string"}},
}
SCHEMA = {"type": "object", "properties": TYPES, "required": ["to"], "additionalProperties": False}
TOOLS = read_tools(
    [
        {"type": "function", "function": {"name": "find_trains", "parameters": SCHEMA}},
        {"type": "function", "function": {"name": "ping"}},
    ]
)
BY_NAME = pytest.mark.parametrize("name", CASES)
WITHOUT = {
    "llama_function_tag": "no engine of today reads it; Llama 3.1's manual has it",
    "mistral": "test_mistral_common.py has the encoder itself",
    "mistral_v11": "test_mistral_common.py has the encoder itself",
    "mistral_bare": "the small model's own",
    "gemma4": "its values have no automaton",
}
"""The formats that have no case here, and why."""


def vocabulary_of(row):
    """Return the 256 bytes, the row's special tokens, two tokens with control bytes, and EOS."""
    tokens = [bytes([byte]) for byte in range(256)] + [text.encode() for text in row.special] + [b"a\x01", b"\x01b"]
    return Vocabulary([*tokens, b"</s>"], eos_id=len(tokens), special_ids=range(256, 256 + len(row.special)))


def expected(name):
    return [("find_trains", TRAINS)] + [("ping", {})] * ("one" not in CASES[name])


@cache
def joined(name, choice="auto", special=True):
    """Return the characters of a row's special tokens, for a vocabulary that has all of them, and the automaton."""
    row = format_named(name)
    spelled = spelling(row, vocabulary_of(row))[0] if special else {}
    return spelled, tool_automaton(row, TOOLS, choice, spelled=spelled)


def test_every_format_has_a_case_or_a_reason():
    assert {format_named(name).name for name in CASES} | set(WITHOUT) == set(FORMATS)


@BY_NAME
def test_it_is_read(name):
    assert parse(format_named(name), CASES[name]["text"], TOOLS) == ("", expected(name)), CASES[name]["source"]


@pytest.mark.parametrize(("choice", "special"), [("auto", False), ("auto", True), ("required", True)])
@BY_NAME
def test_a_mask_allows_it(name, choice, special):
    """Also where the vocabulary has the format's special tokens, and where the answer must begin with a call."""
    spelled, made = joined(name, choice, special)
    dfa = made.dfa
    text = spell(CASES[name]["text"], spelled)
    assert fullmatch(dfa, text), CASES[name]["source"]
    assert fullmatch(dfa, f"Hm. {text}") == (choice == "auto")
    assert fullmatch(dfa, f"{text} Hm.") != format_named(name).ends_turn
    refused = [spell(each, spelled) for each in CASES[name].get("refused", [])]
    assert not special or not any(fullmatch(dfa, each) for each in refused), "the source rules them out"


@BY_NAME
def test_a_stream_tells_it_character_by_character(name):
    spelled, made = joined(name)
    stream = ToolCallStream(format_named(name), TOOLS, made, spelled)
    for char in spell(CASES[name]["text"], spelled):
        stream.feed(char)
    stream.finish()
    message, reason = stream.message()
    told = [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in message["tool_calls"]]
    assert (told, message["content"], reason) == (expected(name), None, "tool_calls")


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].repeat is None])
def test_a_format_of_one_block_has_no_second_one(name):
    """Whatever stands between the two, and although one block may have several calls: parsers drop the second."""
    made, row = tool_automaton(FORMATS[name], EXAMPLE_TOOLS), FORMATS[name]
    one = EXAMPLES[name]["one"].removeprefix(row.begun)
    assert fullmatch(made.dfa, one)
    assert not any(fullmatch(made.dfa, f"{one}{between}{one}") for between in ("", "\n", " And: "))


@BY_NAME
def test_no_special_token_of_a_call_stands_in_free_text(name):
    """Only where every message has a header, free text is made of special tokens too."""
    spelled, made = joined(name)
    for special, char in spelled.items():
        assert fullmatch(made.dfa, f"Hm. {char} so.") == format_named(name).headers, special
