"""For masks within a budget no automaton is made in full. That they are exact is in ``test_masks.py``."""

import contextlib
import random

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.errors import TooMuchWork
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.on_demand.endings import Endings
from mask_engine import compile_guide, guide_of
from tests.labs.lab_07.plain import Plain
from tests.labs.lab_07.test_masks import KINDS, SINGLES, odd_vocabulary, walk


@pytest.mark.parametrize("kind", KINDS)
def test_budgets_through_an_automaton(kind):
    """The other kind of states that a guide is made of, also where the initial one isn't 0."""
    rng = random.Random(kind)
    for dfa in (compile_dfa("(ab|é){2,3}b?"), compile_dfa("a{5}|b€"), literals(["ab", "abé", "€€a", "b"])):
        vocabulary = odd_vocabulary(rng, kind)
        walk(guide_of(vocabulary, dfa), Plain(dfa, vocabulary), vocabulary)


# What it costs ----------------------------------------------------------------------------------------

HEAVY = {r"\w{1,5000}\s\W{1,5000}": 3, "(((a{1,1000}){1,1000}){1,1000}){1,1000}": 1, "(a|b)*a(a|b){90}": 91}


@pytest.mark.parametrize(("pattern", "fewest"), HEAVY.items())
def test_a_budget_asks_for_few_states(pattern, fewest):
    """In full these have up to 2 ** 90 states."""
    small = Vocabulary.small()
    plain, guide = compile_guide(small, regex=pattern), compile_guide(small, regex=pattern)
    plain.mask(plain.initial)
    assert np.array_equal(guide.mask(guide.initial, 200), plain.mask(plain.initial))
    assert len(guide._fsm.fsm._states) == len(plain._fsm.fsm._states) < 1000
    assert guide.tokens_to_accept(guide.initial) <= fewest
    assert len(guide._fsm.fsm._states) < 50_000


@pytest.mark.parametrize("vocabulary", [Vocabulary.small(), Vocabulary.tekken()], ids=["small", "Tekken"])
def test_far_from_the_end_of_a_budget_no_token_is_asked_about(monkeypatch, vocabulary):
    """Each byte is a token, so the fewest bytes to the end are enough tokens: here at most 26."""

    def allowed(*_):
        raise AssertionError("a search")

    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    guide, plain = (compile_guide(vocabulary, json_schema=schema) for _ in range(2))
    monkeypatch.setattr(Endings, "allowed", allowed)
    state, other = guide.initial, plain.initial
    for byte in '{"name": "Zoë"}'.encode():
        assert np.array_equal(guide.mask(state, 40), plain.mask(other))
        token_id = vocabulary.token_bytes.index(bytes([byte]))
        state, other = guide.advance(state, token_id), plain.advance(other, token_id)


@pytest.mark.parametrize("work", [80, 120, 400, 2000])
def test_a_search_that_is_too_much_work_counts_bytes(work):
    """It may refuse what fits, and never allows what does not."""
    tokens = [*SINGLES, *(b"ab" * n for n in range(1, 4)), b"</s>"]
    vocabulary = Vocabulary(tokens, eos_id=len(tokens) - 1)
    exact = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
    assert exact.tokens_to_accept(exact.initial) == 5
    for remaining in range(1, 30):
        guide = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
        assert guide._fsm.ample == 24  # which is known before a request begins
        with at_most(work):
            assert 5 <= guide.tokens_to_accept(guide.initial) <= 21
        guide = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
        allowed = exact.mask(exact.initial, remaining)
        with at_most(work), contextlib.suppress(TooMuchWork):
            mask = guide.mask(guide.initial, remaining)
            assert not (mask & ~allowed).any()
            assert mask.any() or remaining <= 22


def test_a_mask_that_is_too_much_work_is_refused():
    """A call has a limit of its own: the next one may find what this one has made, and get further."""
    small = Vocabulary.small()
    guide = compile_guide(small, regex="(((a{1,1000}){1,1000}){1,1000}){1,1000}")
    state, done = guide.initial, 0
    with pytest.raises(TooMuchWork, match="too much work; the limit is 20,000"):
        while done < 200:
            with at_most(20_000):
                guide.mask(state, 100)
                state = guide.advance(state, small.token_bytes.index(b"a"))
            done += 1
    assert 3 < done < 200
