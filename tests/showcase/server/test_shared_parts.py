"""Generated graphs of shared parts: schemas, grammars and patterns whose texts, written out, would be exponential.

What is asserted is work, in units and in calls of functions, and never a time: it grows gently, or meets a limit.
"""

import json
import random

import numpy as np
import pytest

from course.showcase.serving import MOST_WORK
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import ResponseFormat
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.tools import Tool
from mask_engine import guide_of, texts_of_format, texts_of_tools
from tests.showcase.server.test_most_work import CALLS, UNLIMITED, measured

SMALL = Vocabulary.small()


def levels(width, depth, node, back):
    """Return a schema of levels: each of a level's definitions refers to all of the next level's, or one back."""

    def refer(level, place):
        return {"$ref": f"#/$defs/{level}_{place}"}

    defs = {}
    for level in range(depth):
        below = [refer(level + 1, place) for place in range(width)]
        if back and level == depth // 2:
            below[-1] = {"anyOf": [below[-1], refer(0, 0)]}
        defs |= {f"{level}_{place}": node(below) for place in range(width)}
    defs |= {f"{depth}_{place}": {"type": "integer"} for place in range(width)}
    return json.dumps(refer(0, 0) | {"$defs": defs})


def members(below):
    return {f"k{place}": each for place, each in enumerate(below)}


NODES = {
    "required members": lambda below: {"properties": members(below), "required": [*members(below)], "type": "object"},
    "optional members": lambda below: {"properties": members(below), "type": "object"},
    "tuples": lambda below: {"prefixItems": below, "items": False, "minItems": len(below), "type": "array"},
    "alternatives": lambda below: {"anyOf": [{"items": each, "maxItems": 9, "type": "array"} for each in below]},
    "maps": lambda below: {"patternProperties": {f"^{key}": below[0] for key in "ab"}, "type": "object"},
    "conjunctions": lambda below: {"properties": {"a": {"allOf": below}, "b": below[0]}, "type": "object"},
}

RULES = {"in a row": " ", "or": " | ", "with commas": ' "," ', "or nothing": "? "}


def rules(width, depth, between, back):
    """Return a grammar of levels, as ``levels`` does a schema."""
    called = [[f"r{level}-{place}" for place in range(width)] for level in range(depth)]
    called.append([f'"{chr(97 + place)}"' for place in range(width)])
    lines = ["root ::= r0-0"]
    for level, names in enumerate(called[:-1]):
        more = ' | "(" r0-0 ")"' if back and level == depth // 2 else ""
        lines += [f"{name} ::= {between.join(called[level + 1])}{more}" for name in names]
    return json.dumps("\n".join(lines))


PATTERNS = {
    "rounds": lambda inside: f"({inside}){{1,90}}",
    "optional rounds": lambda inside: f"({inside}){{0,90}}",
    "optional parts": lambda inside: f"({inside})?b?",
    "loops": lambda inside: f"(({inside})*c?)*",
}


def nested(around, depth):
    inside = "a"
    for _ in range(depth):
        inside = around(inside)
    return json.dumps(inside)


GRAPHS = {
    **{
        f"{name}, {width} wide{', recursive' * back}": (
            "json_schema",
            lambda depth, width=width, node=node, back=back: levels(width, depth, node, back),
        )
        for name, node in NODES.items()
        for width, back in ((4, False), (2, True))
    },
    **{
        f"calls in {row}'s format with {name}": (row, lambda depth, node=node: levels(2, depth, node, back=True))
        for row in ("hermes", "qwen3_coder", "llama4_pythonic")
        for name, node in NODES.items()
        if "members" in name
    },
    **{
        f"rules {name}, {width} wide{', recursive' * back}": (
            "grammar",
            lambda depth, width=width, between=between, back=back: rules(width, depth, between, back),
        )
        for name, between in RULES.items()
        for width, back in ((4, False), (2, True))
    },
    **{
        f"{name} in each other": ("regex", lambda depth, around=around: nested(around, depth))
        for name, around in PATTERNS.items()
    },
}

DEPTH = 15

PAIRS = "root ::= a\n" + "\n".join(f'{chr(97 + n)} ::= ({chr(98 + n)} | "{chr(97 + n)}")*' for n in range(16))
KEYS = {"type": "object", "properties": {f"key{n}": {"type": "integer"} for n in range(2000)}}
MANY = "root ::= " + " | ".join(f"r{n}" for n in range(100)) + "".join(f'\nr{n} ::= "{n}" root?' for n in range(100))
HEAVY = {
    "rounds in rounds": ("regex", "(((a{1,1000}){1,1000}){1,1000}){1,1000}|b"),
    "a far from the end": ("regex", "(a|b)*a(a|b){90}"),
    "gaps": ("regex", "(.{0,9}a){30}"),
    "Unicode": ("regex", r"\w{1,5000}\s\W{1,5000}"),
    "many keys": ("json_schema", KEYS),
    "ambiguous rules": ("grammar", f'{PAIRS}\nq ::= "(" root ")"'),
    "many rules": ("grammar", MANY),
}
DEEP = {name: (kind, graph(2 * DEPTH)) for name, (kind, graph) in GRAPHS.items()}
DEEP |= {name: (kind, json.dumps(value)) for name, (kind, value) in HEAVY.items()}


def texts_of(kind, value):
    """What the guide of a format is made of, or that of calls of a tool in some model's format."""
    if kind not in FORMATS:
        return texts_of_format(ResponseFormat(kind, value))
    return texts_of_tools(kind, [Tool("call", json.loads(value))], "required", True, {})[1]


@pytest.mark.parametrize("name", GRAPHS)
def test_twice_as_deep_is_not_the_square_of_the_work(name):
    """What is shared is read once, so compiling grows with the text, or stops at a limit."""
    kind, graph = GRAPHS[name]
    texts_of(kind, graph(DEPTH + 1))  # fills the caches of what every graph has
    once, _, _ = measured(texts_of, UNLIMITED, kind, graph(DEPTH))
    twice, _, _ = measured(texts_of, UNLIMITED, kind, graph(2 * DEPTH))
    assert twice <= 5 * once


@pytest.mark.parametrize("name", DEEP)
def test_no_call_of_the_engine_does_what_is_not_counted(name):
    texts = texts_of(*DEEP[name])
    for seed, remaining in enumerate((None, None, 40, 10**6)):
        guide, dice = guide_of(SMALL, texts), random.Random(seed)
        state = guide.initial
        dear = [] if name in HEAVY else [per_unit(guide.tokens_to_accept, state)[0]]
        for step in range(25):
            cost, mask = per_unit(guide.mask, state, remaining and max(remaining - step, 1))
            dear.append(cost)
            if mask is None or not (bits := np.unpackbits(mask.view(np.uint8), bitorder="little")).any():
                break
            cost, after = per_unit(guide.advance, state, dice.choice(np.flatnonzero(bits).tolist()))
            dear.append(cost)
            if after is None:
                break
            dear.append(per_unit(guide.next_bytes, state)[0])
            state = after
        assert seed == 0 or max(dear) <= CALLS  # the first walk fills the caches of the vocabulary


def per_unit(call, *arguments):
    """Return how many calls of functions a unit of work stood for, beyond a few thousand, and what came of it."""
    calls, units, found = measured(call, MOST_WORK, *arguments)
    return (calls - 5_000) / (units + 1), found
