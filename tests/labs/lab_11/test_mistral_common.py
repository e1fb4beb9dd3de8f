"""Mistral's own encoder and decoder, on token ids: masks allow what it writes, and it reads what they let through."""

import json
import random

import pytest
from mistral_common.experimental.tools import _decode_tool_calls, _split_content_and_tool_calls
from mistral_common.protocol.instruct.messages import AssistantMessage
from mistral_common.protocol.instruct.tool_calls import FunctionCall, ToolCall
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, SpecialTokens, TokenizerVersion
from mistral_common.tokens.tokenizers.instruct import (
    InstructTokenizerV3,
    InstructTokenizerV7,
    InstructTokenizerV11,
    InstructTokenizerV13,
)
from mistral_common.tokens.tokenizers.tekken import Tekkenizer

from labkit.vocabulary import Vocabulary, data_file
from labs.lab_09_inside_an_engine.given.guides import allowed
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import read_tools
from mask_engine import tool_outputs

SPECIAL = [each.value for each in SpecialTokens]
N_TEXT = 2_000
"""How many of Tekken's tokens the tests use: the most frequent, all bytes among them."""

DATA = json.loads(data_file("tekken_240911.json", "the Tekken vocabulary").read_text(encoding="utf-8"))

VERSIONS = {
    "mistral": [InstructTokenizerV3, InstructTokenizerV7],
    "mistral_v11": [InstructTokenizerV11],
    "mistral_v13": [InstructTokenizerV13],
    "devstral": [InstructTokenizerV13],
}
CASES = [(name, version) for name, versions in VERSIONS.items() for version in versions]
BY_VERSION = pytest.mark.parametrize(("name", "version"), CASES, ids=[f"{n}-{v.__name__[-3:]}" for n, v in CASES])

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["city"],
    "additionalProperties": False,
}
ASKED = [
    {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "now"}},
]
CALLED = [("get_weather", {"city": "São Paulo [ARGS]", "days": 3}), ("now", {})]


def tekkenizer(version):
    number = version.__name__.removeprefix("InstructTokenizerV")
    special = [{"rank": rank, "token_str": text, "is_control": True} for rank, text in enumerate(SPECIAL)]
    size = len(SPECIAL) + N_TEXT
    return Tekkenizer(
        DATA["vocab"], special, DATA["config"]["pattern"], size, len(special), TokenizerVersion(f"v{number}")
    )


def vocabulary_of(tokenizer):
    texts = [tokenizer.id_to_byte_piece(rank) for rank in range(len(SPECIAL), tokenizer.n_words)]
    special = range(len(SPECIAL))
    return Vocabulary([*(text.encode() for text in SPECIAL), *texts], eos_id=tokenizer.eos_id, special_ids=special)


def guide_of(name, tokenizer, choice):
    manager = tool_outputs(vocabulary_of(tokenizer), name)
    return manager.compile_tools(read_tools(ASKED), choice, True)


def encoded(version, tokenizer, called, ids):
    calls = [
        ToolCall(id=call_id, function=FunctionCall(name=name, arguments=json.dumps(arguments)))
        for (name, arguments), call_id in zip(called, ids, strict=True)
    ]
    tokens = version(tokenizer).encode_assistant_message(AssistantMessage(tool_calls=calls), False)
    return tokens[0] if isinstance(tokens, tuple) else tokens


def decoded(tokenizer, ids):
    content, calls = _split_content_and_tool_calls(ids, tokenizer.get_special_token("[TOOL_CALLS]"))
    found = _decode_tool_calls(calls, tokenizer)
    return content, [(call.function.name, json.loads(call.function.arguments)) for call in found]


@BY_VERSION
@pytest.mark.parametrize("called", [CALLED[:1], CALLED], ids=["one", "two"])
def test_what_the_encoder_writes_is_allowed(name, version, called):
    tokenizer = tekkenizer(version)
    ids = encoded(version, tokenizer, called, ["aB3dE6gH9", "000000000"][: len(called)])
    assert ids[0] == tokenizer.get_special_token("[TOOL_CALLS]") and ids[-1] == tokenizer.eos_id
    for choice in ("auto", "required"):
        guide = guide_of(name, tokenizer, choice)
        state = guide.initial
        for token_id in ids[:-1]:
            state = guide.advance(state, token_id)  # raises where a mask forbids it
        assert guide.is_accepting(state) and allowed(guide.mask(state), tokenizer.n_words)[tokenizer.eos_id]


@BY_VERSION
def test_what_masks_let_be_written_the_decoder_reads(name, version):
    """A model that draws its tokens at random, and ends its answer where it may."""
    tokenizer = tekkenizer(version)
    guide, vocabulary = guide_of(name, tokenizer, "required"), vocabulary_of(tokenizer)
    several = 0
    for seed in range(6):
        draw, state, ids = random.Random(seed), guide.initial, []
        for remaining in range(90, 0, -1):
            bits = allowed(guide.mask(state, remaining), len(vocabulary))
            again = bits[tokenizer.get_special_token("[TOOL_CALLS]")] and draw.random() < 0.5
            if bits[tokenizer.eos_id] and not again:
                break
            token_id = tokenizer.get_special_token("[TOOL_CALLS]") if again else draw.choice(bits.nonzero()[0].tolist())
            ids.append(token_id)
            state = guide.advance(state, token_id)
        assert guide.is_accepting(state)
        content, calls = decoded(tokenizer, ids)
        text = tokenizer.decode(ids, special_token_policy=SpecialTokenPolicy.KEEP)
        assert content == [] and calls, text
        assert all(called in ("get_weather", "now") for called, _ in calls)
        assert parse(format_named(name), text, read_tools(ASKED))[1] == calls
        several += len(calls) > 1
    assert several
