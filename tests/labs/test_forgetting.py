"""What a guide has forgotten, or was stopped at, changes no mask: all are those of a guide that remembers nothing."""

import contextlib
import random

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.given import unfolding
from labs.lab_07_bytes_and_vocabularies.given.on_demand import fsm, strings
from labs.lab_12_pushdown.given import guide as pushdown
from tests.labs.soak import ASKED, Fresh, answer

SMALL = Vocabulary.small()


def told(guide, seed, within):
    """Return the masks and tokens of some answers; each answer may be the same as the one before."""
    return [
        (mask.tolist(), token_id)
        for n in range(6)
        for _, mask, token_id in answer(guide, random.Random(f"{seed} {n // 2}"), 25, within)
    ]


@pytest.fixture(params=ASKED, ids=lambda asked: str(asked)[-60:])
def asked(request):
    """What is asked for, a way to make guides of it, and whether budgets are quick to count."""
    return Fresh(SMALL, request.param), "json_schema" not in request.param


def test_a_guide_that_keeps_almost_no_mask(asked, monkeypatch):
    """Each new mask is made in an array that has to grow for it, or after all others were forgotten."""
    make, within = asked
    monkeypatch.setattr(strings, "WORTH_IT", 100)  # rows for most states of a string
    expected = told(make(), 1, within)
    monkeypatch.setattr(fsm, "MORE", 1)
    for most in (0, 1 << 13):
        monkeypatch.setattr(fsm, "MOST_BYTES", most)
        assert told(make(), 1, within) == expected
    monkeypatch.setattr(pushdown, "MOST_STEPS", 1)
    monkeypatch.setattr(pushdown, "MOST_HELD", 0)
    assert told(make(), 1, within) == expected


def test_a_question_that_was_stopped_half_way(asked, monkeypatch):
    """Whatever limit stops a guide, the next call finds nothing half made."""
    make, within = asked
    guide, rng = make(), random.Random(2)
    expected = told(make(), 2, within)
    stopped = 0

    class Stopped:
        """The guide, asked under some limits before each question is asked without one."""

        initial = guide.initial

        def mask(self, state, remaining):
            nonlocal stopped
            for work in (rng.randrange(40), rng.randrange(400), rng.randrange(4000)):
                with contextlib.suppress(LimitExceeded), at_most(work):
                    stopped += 1
                    guide.mask(state, remaining)
                    stopped -= 1
            with monkeypatch.context() as patch, contextlib.suppress(LimitExceeded):
                patch.setattr(unfolding, "MAX_NFA_STATES", rng.randrange(200))
                guide.mask(state, remaining)
            return guide.mask(state, remaining)

        advance = staticmethod(guide.advance)

    assert told(Stopped(), 2, within) == expected and stopped


def test_the_row_of_another_state_is_found_where_it_is_now():
    """Making the mask of a key's first state needs that of another state, for which the array of masks grows."""
    word = "2giRbEb0Gz,nwuBKqkVNj,GUNm-fGrlYwlZ46n_bpNvAR58XsL_rvyFx:HZdfnmlE"
    items = [{"const": word}, {"properties": {"a": {"type": "string"}}}]
    asked = {"json_schema": {"type": "array", "prefixItems": items, "minItems": 2}, "whitespace": "compact"}
    make = Fresh(Vocabulary.tekken(), {**asked, "closed": False})
    guide, text = make(), f'["{word}",{{"x'.encode()
    state = guide.initial
    for byte in text:
        guide.mask(state)
        state = guide.after_byte(state, byte)
    other = make()
    assert np.array_equal(guide.mask(state), other.mask(byte_by_byte(other, text)))


def byte_by_byte(guide, text):
    """Return the state after a text."""
    state = guide.initial
    for byte in text:
        state = guide.after_byte(state, byte)
    return state
