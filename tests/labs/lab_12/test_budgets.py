"""Budgets of grammars: byte by byte they are a bound, and near the end they are what they are with all rules lifted."""

import random

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.vocabulary import Vocabulary
from labs.lab_12_pushdown.given.gbnf import shipped
from labs.lab_12_pushdown.given.guide import PushdownStates
from mask_engine import compile_guide, guide_of, texts_of

SMALL = Vocabulary.small()
ASKED = [
    {"grammar": shipped("json")},
    {"grammar": 'root ::= "(" root ")" | [a-zé€]{3} | "[" root "," root "]"'},
    {"grammar": 'root ::= ("é" | "ab" item){2,4}\nitem ::= "<" root? ">"'},
]


@pytest.mark.parametrize("asked", ASKED)
def test_masks_within_any_budget_are_those_of_rules_that_are_lifted(asked, monkeypatch):
    """The bound is switched off for one of two guides, which then prices every token."""
    texts = texts_of(**asked)
    mine, exact = guide_of(SMALL, texts), guide_of(SMALL, texts)
    exact._fsm.__dict__["_spelled"] = False
    rng = random.Random(repr(asked))
    for _ in range(12):
        one, other = mine.initial, exact.initial
        for _ in range(12):
            for budget in (1, 2, 3, 5, 8, 12, 20, 40, 150):
                assert np.array_equal(mine.mask(one, budget), exact.mask(other, budget)), budget
            ids = np.unpackbits(mine.mask(one).view(np.uint8), bitorder="little").nonzero()[0].tolist()
            token_id = rng.choice(ids)
            if token_id == SMALL.eos_id:
                break
            one, other = mine.advance(one, token_id), exact.advance(other, token_id)


def test_far_from_the_end_no_rule_is_lifted(monkeypatch):
    def lifted(self):
        raise AssertionError("a budget of 150 needs no tokens counted")

    monkeypatch.setattr(PushdownStates, "_lifted_costs", lifted)
    for asked in ASKED:
        guide = compile_guide(SMALL, **asked)
        assert np.array_equal(guide.mask(guide.initial, 150), guide.mask(guide.initial))


def test_where_lifting_is_too_much_work_bytes_are_counted(monkeypatch):
    """The answer ends in time all the same."""
    guide = compile_guide(SMALL, json_schema={"type": "object"})
    monkeypatch.setattr("labs.lab_12_pushdown.given.guide.PRICE_OF_A_STATE", 10**6)
    state, written, rng = guide.initial, [], random.Random(3)
    while not guide.is_accepting(state):
        with at_most(10**5):
            mask = guide.mask(state, 12 - len(written))
        ids = np.unpackbits(mask.view(np.uint8), bitorder="little").nonzero()[0].tolist()
        written.append(rng.choice(ids))
        state = guide.advance(state, written[-1])
    assert len(written) < 12
