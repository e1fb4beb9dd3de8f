"""Schemas that need a stack, in tokens: each mask bit by bit against a chart, and answers against jsonschema."""

import json
from random import Random

import jsonschema
import pytest

from labkit.automata.dfa import DEAD
from labkit.automata.grammar import CALL, Grammar
from labkit.vocabulary import Vocabulary
from labs.assembled import FINISHED, compile_guide
from labs.lab_12_pushdown.given.schemas.compiler import schema_grammar

PIECES = [
    '{"',
    '": ',
    '", "',
    '"}',
    "}}",
    "]]",
    "], [",
    '": [',
    '": {"',
    "[[",
    '"a',
    "b",
    "null",
    "1",
    "true",
    "}, {",
    '"}}',
]
VOCABULARY = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), *map(str.encode, PIECES), b"</s>"], eos_id=256 + len(PIECES)
)
SHOWN = [*range(32, 127), *range(256, len(VOCABULARY) - 1)]
"""The tokens whose masks are compared: printable characters and the pieces."""

SCHEMAS = {
    "any value": {},
    "tree": {
        "type": "object",
        "properties": {"v": {"type": "integer"}, "a": {"$ref": "#"}, "b": {"$ref": "#"}},
        "required": ["v"],
        "additionalProperties": False,
    },
    "mutual": {
        "$ref": "#/$defs/list",
        "$defs": {
            "list": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "item": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/list"}]},
        },
    },
    "free members": {"type": "object", "patternProperties": {"^a": {"type": "array"}}, "additionalProperties": False},
    "not": {"type": "array", "items": {"not": {"type": ["string", "object"]}}, "minItems": 1},
    "if": {
        "type": "object",
        "properties": {"b": {"type": "boolean"}, "v": {}},
        "required": ["b"],
        "if": {"properties": {"b": {"const": True}}},
        "then": {"required": ["v"]},
    },
}


def viable(grammar: Grammar, text: str) -> bool:
    """Return whether some text of the grammar begins so, by Earley's sets over the rules' automata.

    Items are a rule, a state of it, and where it began. Every state of the compiler's automata leads to an end.
    """
    codes = [CALL - rule for rule in range(len(grammar))]
    current = {(0, grammar.rules[0].initial, 0)}
    sets: list[set[tuple[int, int, int]]] = []
    for at in range(len(text) + 1):
        sets.append(current)
        size = -1
        while size != len(current):
            size = len(current)
            for rule, state, began in list(current):
                dfa = grammar.rules[rule]
                called = [other for other, code in enumerate(codes) if dfa.step(state, code) != DEAD]
                current |= {(other, grammar.rules[other].initial, at) for other in called}
                if dfa.accepting[state]:
                    for parent, before, start in list(sets[began]):
                        after = grammar.rules[parent].step(before, codes[rule])
                        if after != DEAD:
                            current.add((parent, after, start))
        if at < len(text):
            moved = ((r, grammar.rules[r].step(s, ord(text[at])), began) for r, s, began in current)
            current = {item for item in moved if item[1] != DEAD}
    return bool(sets[-1])


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("seed", range(3))
def test_masks_and_answers(name: str, seed: int) -> None:
    schema, random = SCHEMAS[name], Random(seed)
    guide, grammar = compile_guide(VOCABULARY, json_schema=schema), schema_grammar(schema)
    state, text, remaining = guide.initial, b"", 24
    while state != FINISHED:
        mask = guide.mask(state)
        if len(text) < 25 and text.decode(errors="replace").isascii():
            start = text.decode()
            for token in SHOWN:
                expected = viable(grammar, start + VOCABULARY.token_bytes[token].decode())
                assert bool(mask[token // 32] >> token % 32 & 1) == expected, (start, VOCABULARY.token_bytes[token])
        within = guide.mask(state, remaining)
        allowed = [token for token in range(len(VOCABULARY)) if within[token // 32] >> token % 32 & 1]
        assert allowed, (text, remaining)
        pieces = [token for token in allowed if token >= 256] or [token for token in allowed if token in SHOWN]
        token = random.choice(pieces or allowed)
        text += b"" if token == VOCABULARY.eos_id else VOCABULARY.token_bytes[token]
        state, remaining = guide.advance(state, token), remaining - 1
    jsonschema.validate(json.loads(text), schema)
    assert remaining >= 0
