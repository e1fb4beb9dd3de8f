"""Members in any order, held against ``json`` and ``jsonschema``: every permutation of members, and what is left."""

import json
from itertools import permutations, product
from math import inf
from random import Random

import pytest

from labkit.automata.work import at_most
from labkit.errors import UnsupportedSchema
from labkit.reading import reading_of
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from mask_engine import compile_guide, compile_json_schema
from mask_engine.compiling import characters_of
from mask_engine.patterns.any_order import AnyOrder, Prices
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.trees.compiler import schema_tree
from mask_engine.trees.within import within
from tests.json_texts import valid_json, written
from tests.mask_engine.test_lazy import shortest

ONE, TWO = {"const": 1}, {"enum": [1, 2]}
ABC = {"a": TWO, "b": ONE, "ab": {"type": "null"}}
NAMES = ["a", "b", "ab", "c", "d"]
ASKED = {
    "optional": {"properties": ABC},
    "required": {"properties": ABC, "required": ["ab", "a"]},
    "undeclared required": {"properties": {"a": TWO}, "required": ["c", "b"]},
    "required alone": {"required": ["b", "a"], "maxProperties": 3},
    "no others": {"properties": ABC, "additionalProperties": False, "required": ["b"]},
    "other values": {"properties": {"a": TWO}, "additionalProperties": ONE},
    "patterns": {"patternProperties": {"^a": ONE, "b$": TWO}, "additionalProperties": False},
    "patterns and names": {"properties": {"a": TWO}, "patternProperties": {"^[cd]": ONE}, "required": ["c"]},
    "counted": {"properties": ABC, "minProperties": 2, "maxProperties": 3},
    "at least": {"properties": ABC, "required": ["b"], "minProperties": 3},
    "at most": {"properties": ABC, "required": ["b"], "maxProperties": 2},
    "at most none": {"properties": ABC, "maxProperties": 0},
    "counted patterns": {"patternProperties": {"^a": TWO}, "required": ["c"], "minProperties": 2, "maxProperties": 3},
    "names": {"properties": ABC, "propertyNames": {"maxLength": 1}, "minProperties": 1},
    "dependent": {"properties": ABC, "dependentRequired": {"a": ["b"], "c": ["a"]}},
    "dependent schemas": {"properties": ABC, "dependentSchemas": {"a": {"required": ["b"], "maxProperties": 3}}},
    "one of two": {"properties": ABC, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "not both": {"properties": ABC, "not": {"required": ["a", "b"]}, "minProperties": 1},
    "if": {"properties": ABC, "if": {"properties": {"a": ONE}, "required": ["a"]}, "then": {"required": ["ab"]}},
    "some member": {"not": {"patternProperties": {"^a": ONE}}, "additionalProperties": TWO},
    "some member, counted": {"not": {"patternProperties": {"^a": ONE}}, "required": ["c"], "maxProperties": 2},
    "some, named": {"not": {"additionalProperties": ONE}, "required": ["c", "a"], "propertyNames": {"maxLength": 1}},
    "one of constants": {"enum": [{"a": 1, "b": 2}, {"c": 1, "a": 2, "b": 1}, {}]},
    "unevaluated": {"properties": {"a": TWO}, "allOf": [{"properties": {"b": ONE}}], "unevaluatedProperties": False},
}
"""What schemas ask of objects; all types are written, so that nothing but members decides."""


def texts(most=4, values=("1", "2", "null")):
    """Return objects of few members, with keys in any order and also twice, as compact JSON; some of all."""
    chance = Random(most)
    for size in range(most + 1):
        for keys in product(NAMES, repeat=size):
            for chosen in {tuple(chance.choice(values) for _ in keys) for _ in range(3 if size < 4 else 1)}:
                yield "{" + ",".join(f'"{key}":{value}' for key, value in zip(keys, chosen, strict=True)) + "}"


TEXTS = list(texts())


def once(text, names):
    """Return whether no key but perhaps undeclared ones is there twice."""
    keys = json.loads(text, object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    return all(keys.count(key) == 1 for key in keys if key in names)


@pytest.mark.parametrize("name", ASKED)
def test_every_order_of_a_valid_value_and_nothing_else(name):
    """With keys that differ. A key that no ``properties`` and ``required`` name may be repeated, as in schema order."""
    schema = {"type": "object", **ASKED[name]}
    matcher = compile_json_schema(schema, whitespace="compact", closed=False, order="any")
    named = {*schema.get("properties", ()), *schema.get("required", ())}
    verdicts = set()
    for text in TEXTS:
        expected = valid_json(schema, text)
        if expected or not once(text, NAMES if name == "one of constants" else named) or once(text, NAMES):
            assert matcher.fullmatch(text) == expected, text
            verdicts.add(expected)
    assert True in verdicts and (False in verdicts or name == "patterns")


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("name", ASKED)
def test_some_order_of_the_members_is_that_of_the_schema(name, closed):
    """So both orders have the same members, also which ones are not mentioned and which keys are repeated."""
    schema = {"type": "object", **ASKED[name]}
    anyhow, ordered = (
        compile_json_schema(schema, whitespace="compact", closed=closed, order=order) for order in ("any", "schema")
    )
    for text in texts(3):
        members = text[1:-1].split(",")
        turned = ["{" + ",".join(each) + "}" for each in permutations(members)]
        assert anyhow.fullmatch(text) == any(map(ordered.fullmatch, turned)), text


def test_spellings_and_white_space():
    """A key is the same key, however its characters are written."""
    schema = {"type": "object", "properties": {"é": ONE, "b": ONE}, "required": ["é", "b"]}
    matcher = compile_json_schema(schema, order="any")
    for value in ({"b": 1, "é": 1}, {"é": 1, "b": 1}):
        assert all(matcher.fullmatch(text) for text in written(value))
    assert not matcher.fullmatch('{"é": 1, "\\u00e9": 1, "b": 1}')


TOKENS = ['{"', '"', "a", "b", "ab", ":", '":1', "1", "2", ",", ',"b', "}", "null", "c", "{", ',"ab":']
EOS = len(TOKENS)
VOCABULARY = Vocabulary([*map(str.encode, TOKENS), b"</s>"], eos_id=EOS)


@pytest.mark.parametrize("name", ASKED)
def test_the_bytes_that_are_left(name):
    """Counted without a walk, they are those of the shortest walk, in every state that is met on the way."""
    values = {"a": {"enum": [1, 200]}, "b": {"const": "long"}}
    asked = (
        {**ASKED[name], "properties": ASKED[name].get("properties", {}) | values}
        if name != "one of constants"
        else ASKED[name]
    )
    for whitespace in ("compact", "flexible"):
        tree = schema_tree({"type": "object", **asked}, whitespace=whitespace, reading=reading_of(order="any"))
        if tree is None:
            continue
        states, chance = characters_of(LazyDfa(tree)), Random(name)
        for _ in range(2):
            state = 0
            for _ in range(30):
                assert states.fewest_bytes(state) == shortest(states, state) <= states.most_bytes
                after = list(states.targets(state))
                if not after:
                    break
                state = min(after, key=states.fewest_bytes) if chance.random() < 0.6 else chance.choice(after)


@pytest.mark.parametrize("seed", range(50))
def test_the_prices_of_parts(seed):
    """Against all sequences of up to six parts; three bits are single parts, two more are set by any others."""
    chance = Random(seed)
    named = chance.choice([0, 8])  # a bit of which parts that set it are written once
    shared = [chance.choice([8, 16, 24, 16, 0]) for _ in range(chance.randrange(4))]
    single = [1 << bit for bit in range(chance.randrange(4))]
    parts = (*((bit, bit) for bit in single), *((bits, bits & named) for bits in shared))
    needed = chance.choice([0, 1, 3, 5]) & sum(single) | chance.choice([24, named])
    least = chance.randrange(1, 4)
    order = AnyOrder(parts, needed | named, least, chance.choice([None, least, least + 1, 5]))
    costs = [chance.randrange(1, 20) for _ in parts] + [chance.randrange(3)]

    def price(chosen):
        bits = 0
        for sets, once in (parts[part] for part in chosen):
            if once & bits:
                return inf
            bits |= sets
        fits = not order.needed & ~bits and least <= len(chosen) <= (order.most or 6)
        return sum(costs[part] for part in chosen) + costs[-1] * (len(chosen) - 1) if fits else inf

    prices = Prices(order, costs)
    cheapest = min((price(each) for n in range(1, 7) for each in product(range(len(parts)), repeat=n)), default=inf)
    assert order.can_end(order.initial) == (cheapest < inf)
    assert cheapest == inf or prices(order.initial) == cheapest <= prices.most()


def test_many_members_are_met_one_by_one():
    """The work up to the first mask, and of each step, grows with the members and not with their sets."""

    def work(n):
        keys = ["".join(each) for each in product("ab", repeat=n)]
        schema = {"type": "object", "properties": {key: {"type": "integer"} for key in keys}}
        with at_most(10**9) as limit:
            guide = compile_guide(VOCABULARY, json_schema=schema, order="any")
            state = guide.initial
            for token in map(TOKENS.index, [*['{"', *("ab" * n)][: n + 1], '":1', ',"b']):
                assert guide.mask(state)[0] >> token & 1
                state = guide.advance(state, token)
        return 10**9 - limit.left

    assert work(6) < 50_000
    assert work(7) < 3 * work(6)


def test_an_automaton_beside_it_is_refused():
    tree = schema_tree({"type": "object", "properties": ABC}, reading=reading_of(order="any"))
    with pytest.raises(UnsupportedSchema, match="in any order"):
        within(tree, compile_dfa("(?s:.)*"))
