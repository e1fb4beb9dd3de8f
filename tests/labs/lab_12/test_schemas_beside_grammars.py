"""Schemas that nest, in tokens: masks bit by bit beside those of grammars on a stack."""

from random import Random

import pytest

from labkit.vocabulary import Vocabulary
from labs.assembled import FINISHED, compile_guide
from tests.labs import listed

PIECES = [
    each.replace("_", " ") for each in listed("""{" ":_ ",_" "} }} ]] ],_[ ":_[ ":_{" [[ "a b null 1 true },_{ "}}""")
]
VOCABULARY = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), *map(str.encode, PIECES), b"</s>"], eos_id=256 + len(PIECES)
)
SHOWN = [*range(32, 127), *range(256, len(VOCABULARY) - 1)]
"""The tokens that are drawn first: printable characters and the pieces."""

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
}


JSON = r"""
value   ::= "null" | "true" | "false" | number | string | array | object
integer ::= "-"? ("0" | [1-9] [0-9]*)
number  ::= integer ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
string  ::= "\"" char* "\""
char    ::= [^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" unit)
unit    ::= [0-9a-cefA-CEF] hex{3} | [dD] [0-7] hex{2} | [dD] [89abAB] hex{2} "\\u" [dD] [c-fC-F] hex{2}
hex     ::= [0-9a-fA-F]
array   ::= "[" (value ("," value)*)? "]"
object  ::= "{" (member ("," member)*)? "}"
member  ::= string ":" value
"""
"""Compact JSON; each grammar below takes of it what it needs."""

GRAMMARS = {
    "any value": "root ::= value",
    "tree": r"""
        root ::= "{\"v\":" integer (",\"a\":" root)? (",\"b\":" root)? "}"
    """,
    "mutual": """
        root ::= "[" (item ("," item)*)? "]"
        item ::= "null" | root
    """,
    "free members": r"""
        root ::= "{" (free ("," free)*)? "}"
        free ::= "\"" ("a" | "\\u0061") char* "\":" array
    """,
    "not": """
        root ::= "[" item ("," item)* "]"
        item ::= "null" | "true" | "false" | number | array
    """,
}


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("seed", range(3))
def test_masks_are_those_of_a_grammar(name: str, seed: int) -> None:
    """The stack of lab 12, under a grammar written by hand, allows the same tokens at every step."""
    random = Random(seed)
    guides = (
        compile_guide(VOCABULARY, json_schema=SCHEMAS[name], whitespace="compact"),
        compile_guide(VOCABULARY, grammar=GRAMMARS[name] + JSON),
    )
    states = [guide.initial for guide in guides]
    for _ in range(60):
        ours, grammars = (guide.mask(state) for guide, state in zip(guides, states, strict=True))
        assert ours.tolist() == grammars.tolist()
        allowed = [token for token in range(len(VOCABULARY)) if ours[token // 32] >> token % 32 & 1]
        pieces = [token for token in allowed if token >= 256] or [token for token in allowed if token in SHOWN]
        token = random.choice(random.choice([pieces or allowed, allowed]))
        states = [guide.advance(state, token) for guide, state in zip(guides, states, strict=True)]
        if states[0] == FINISHED:
            break
