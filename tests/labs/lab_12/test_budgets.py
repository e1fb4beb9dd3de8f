"""Budgets of texts that nest: far from the end they cost nothing, and near it a search stays within its work."""

import random

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.given.on_demand.endings import Endings
from labs.lab_12_pushdown.given.gbnf import shipped
from mask_engine import compile_guide
from tests.walks import ids_of

SMALL = Vocabulary.small()
ASKED = [
    {"grammar": shipped("json")},
    {"grammar": 'root ::= "(" root ")" | [a-zé€]{3} | "[" root "," root "]"'},
    {"grammar": 'root ::= ("é" | "ab" item){2,4}\nitem ::= "<" root? ">"'},
    {"json_schema": {"type": "object"}},
]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_far_from_the_end_nothing_is_searched(asked, monkeypatch):
    def searched(*_):
        raise AssertionError("a budget of 150 needs no tokens counted")

    monkeypatch.setattr(Endings, "targets", searched)
    guide = compile_guide(SMALL, **asked)
    assert np.array_equal(guide.mask(guide.initial, 150), guide.mask(guide.initial))


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_guide_without_an_end_of_states_prepares_its_first_mask(asked):
    told = []
    compile_guide(SMALL, **asked).prepare(lambda *done: told.append(done))
    assert told == [(1, 1)]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_mask_within_a_budget_cannot_be_written_to(asked):
    """Requests share it, with tables as without."""
    for tables in (False, True):
        guide = compile_guide(SMALL, **asked)
        if tables:
            guide._fsm.fsm.make_tables_at_once()
            guide.mask(guide.initial)
        least = int(guide.tokens_to_accept(guide.initial)) + 1
        assert not any(guide.mask(guide.initial, least + more).flags.writeable for more in range(4))


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_an_answer_ends_in_time_with_little_work_a_turn(asked):
    guide = compile_guide(SMALL, **asked)
    state, written, rng = guide.initial, [], random.Random(3)
    most = int(guide.tokens_to_accept(state)) + 8
    while not guide.is_accepting(state):
        with at_most(10**5):
            mask = guide.mask(state, most - len(written))
        ids = ids_of(mask)
        written.append(rng.choice(ids))
        state = guide.advance(state, written[-1])
    assert len(written) < most
