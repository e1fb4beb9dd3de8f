"""Budgets of texts that nest, against trying every token: what's allowed is what fits, and then a text ends in time.

A token may end several rules: a budget counts it once. A byte may be in no token, or in longer ones alone.
"""

import random

import pytest

from labkit.automata.work import at_most
from labkit.vocabulary import Vocabulary
from mask_engine import FINISHED, compile_guide
from tests.walks import ids_of

GRAMMARS = {
    'root ::= "[" root? "]"': "[]",
    'root ::= "(" root ")" | [ab]{1,3} | "[" root "," root "]"': "()[],ab",
    'root ::= object\nobject ::= "{" pair ("," pair)* "}"\npair ::= "a:" (object | "1")': "{}a:1,",
    'root ::= one | two\none ::= "a" one? "b"\ntwo ::= "a" two? "bc"': "abc",
    'root ::= "é" root "€" | "<" root ">" | ""': "é€<>",
}
LIST = {"type": "array", "items": {"$ref": "#"}}
NODE = {"type": "object", "properties": {"a": {"$ref": "#"}, "é": LIST["items"]}, "required": ["a"]}
SCHEMAS = [{"anyOf": [{"type": "integer"}, NODE, LIST]}, LIST]
MISSING = [b"", b"{", b"}", b"]", b'"', b"1", b"\xc3", b"\xa9", b"}]1"]
LONGER = [b"[]", b'{"a":', b"1}", b"}]", b"1]}", b'"a', "é".encode(), 'é"'.encode()]


def fewest(guide, state, most, known):
    """Return the fewest tokens to EOS, itself included, if they are no more than so many; by trying each."""
    if state == FINISHED or not most:
        return 0 if state == FINISHED else 99
    if known.get(state, (0,))[0] < most:
        after = [fewest(guide, guide.advance(state, each), most - 1, known) for each in ids_of(guide.mask(state))]
        known[state] = most, 1 + min(after, default=99)
    return known[state][1]


def check_budgets(rng, tokens, **asked):
    """Compare masks within small budgets along random walks, and return how many tokens they allow."""
    tokens = list(dict.fromkeys(tokens))
    guide = compile_guide(Vocabulary([*tokens, b"</s>"], eos_id=len(tokens)), **asked)
    known, allowed = {}, 0
    for _ in range(2):
        state, left = guide.initial, 5
        while state != FINISHED and (ids := ids_of(guide.mask(state))) and left:
            needed = {token: fewest(guide, guide.advance(state, token), 5, known) for token in ids}
            for remaining in range(1, 7):
                with at_most(60_000):
                    mask = guide.mask(state, remaining)
                assert ids_of(mask) == [token for token in ids if needed[token] < remaining], (tokens, remaining)
                allowed += mask.any()
            state, left = guide.advance(state, rng.choice(ids)), left - 1
    return allowed


@pytest.mark.parametrize("grammar", GRAMMARS)
@pytest.mark.parametrize("spelled", [True, False])
def test_grammars_whose_tokens_end_several_rules(grammar, spelled):
    rng, chars = random.Random(grammar), GRAMMARS[grammar]
    for _ in range(2):
        longer = ["".join(rng.choices(chars, k=rng.randint(2, 3))) for _ in range(8)] + [chars[-1] * 2]
        tokens = [text.encode() for text in [*(chars if spelled else chars[1:]), *longer]]
        assert check_budgets(rng, tokens, grammar=grammar) or not spelled


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_recursive_schemas_in_vocabularies_without_some_bytes(schema, missing):
    bytes_ = [bytes([byte]) for byte in '{}[]":,1aé'.encode() if byte not in missing]
    for longer in ([], LONGER):
        check_budgets(random.Random(1), bytes_ + longer, json_schema=schema, whitespace="compact")
