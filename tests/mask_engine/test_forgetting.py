"""What a guide has forgotten, or was stopped at, changes no mask: all are those of a guide that remembers nothing."""

import contextlib
import random

import pytest

from labkit.automata.work import at_most
from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.given import unfolding
from labs.lab_07_bytes_and_vocabularies.given.on_demand import fsm, strings
from labs.lab_12_pushdown.given import guide as pushdown
from labs.lab_12_pushdown.given import stack_states
from mask_engine import held
from mask_engine.patterns import lazy
from tests.labs.soak import ASKED, Fresh, Text

SMALL = Vocabulary.small()


@pytest.fixture(params=ASKED, ids=lambda asked: str(asked)[:100])
def asked(request):
    """Return a way to make guides of what is asked for, and whether they count budgets fast enough for a test."""
    return Fresh(SMALL, request.param), "json_schema" not in request.param


def told(guide, seed, within, n_texts=6):
    """Return the masks and tokens of some texts. Each is written twice."""
    texts = [Text(guide, random.Random(f"{seed} {n // 2}"), 25, within) for n in range(n_texts)]
    for text in texts:
        while text.go_on():
            pass
    return [(text.masks, text.ids) for text in texts]


def test_a_guide_that_keeps_almost_no_mask(asked, monkeypatch):
    """Each new mask is made in an array that has to grow for it, or after all others were forgotten."""
    make, within = asked
    monkeypatch.setattr(strings, "WORTH_IT", 100)  # rows for most states of a string
    expected = told(make(), 1, within)
    monkeypatch.setattr(fsm, "MORE", 1)
    for most in (0, 1 << 13):
        monkeypatch.setattr(fsm, "MOST_BYTES", most)
        assert told(make(), 1, within) == expected
    monkeypatch.setattr(pushdown, "MOST_FATES", 0)
    monkeypatch.setattr(pushdown, "OFTEN", 0)  # tables for every state of a rule
    assert told(make(), 1, within) == expected


def test_a_question_that_was_stopped_half_way(asked, monkeypatch):
    """Whatever limit stops a guide, the next call finds nothing half made."""
    make, within = asked
    guide, rng, stopped = make(), random.Random(2), []
    expected = told(make(), 2, within)

    class Stopped:
        """The guide, asked under some limits before each question is asked without one."""

        initial, advance = guide.initial, staticmethod(guide.advance)

        def mask(self, state, remaining):
            for work in (rng.randrange(40), rng.randrange(400), rng.randrange(4000)):
                try:
                    with at_most(work):
                        guide.mask(state, remaining)
                except LimitExceeded:
                    stopped.append(state)
            with monkeypatch.context() as patch, contextlib.suppress(LimitExceeded):
                patch.setattr(unfolding, "MAX_NFA_STATES", rng.randrange(200))
                guide.mask(state, remaining)
            return guide.mask(state, remaining)

    assert told(Stopped(), 2, within) == expected and stopped


# A guide is a bounded cache ---------------------------------------------------------------------------------


@contextlib.contextmanager
def bounds(n_states, kept):
    """Make a guide full after so many states, and note how many are held and how many there were when it forgets."""
    forget = fsm.TokenStates.forget

    def counted(states, numbers):
        kept.append((len(numbers), len(states._states)))
        return forget(states, numbers)

    with pytest.MonkeyPatch.context() as patch:
        for room, name, most in (
            (unfolding, "ENOUGH", n_states),
            (unfolding, "MAX_NFA_STATES", 40 * n_states + 4000),  # for one question
            (lazy, "ENOUGH", 8 * n_states),
            (fsm, "MOST_HELD", 80 * n_states),
            (fsm.TokenStates, "forget", counted),
            (held, "MOST_STEPS", n_states // 4),
            (stack_states, "ENOUGH", 4 * n_states),
            (pushdown, "MOST_FATES", 5),
            (pushdown, "OFTEN", 2),
        ):
            patch.setattr(room, name, most)
        yield


def soaked(make, within, n_texts, n_states, at_once=5):
    """Write texts in random order on one guide, a few of them at a time; compare each with a new guide's.

    Returns:
        What ``bounds`` notes each time that the guide forgets.
    """
    guide, rng, kept, texts, n_done = make(), random.Random(3), [], [], 0
    while n_done < n_texts:
        with bounds(n_states, kept):
            while len(texts) < at_once:
                texts.append(Text(guide, random.Random(rng.random()), 25, within))
            text = rng.choice(texts)
            if text.go_on():
                continue
        texts.remove(text)
        n_done += 1
        fresh = make()
        state = fresh.initial
        for n, (mask, token_id) in enumerate(zip(text.masks, text.ids, strict=True)):
            assert fresh.mask(state, 25 - n if within else None).tobytes() == mask, (text.ids, n)
            state = fresh.advance(state, token_id)
        assert fresh.is_accepting(state) == guide.is_accepting(text.state)
    assert max([n for n, _ in kept], default=0) <= at_once + 1  # a state a text, and the initial one
    return kept


def test_texts_are_the_same_however_much_is_forgotten_meanwhile(asked):
    """Several are written at a time: a guide takes along the states that they are in, and no others."""
    soaked(*asked, n_texts=8, n_states=60)


@pytest.mark.seconds(100)
@pytest.mark.parametrize("wanted", ASKED, ids=lambda asked: str(asked)[:100])
def test_hundreds_of_texts_on_one_guide(wanted):
    """What it keeps doesn't grow, whatever was asked before."""
    n_texts = 50 if "{20}" in str(wanted) else 250  # of its million states, each text meets twenty new ones
    kept = soaked(Fresh(SMALL, wanted), "json_schema" not in wanted, n_texts=n_texts, n_states=250)
    early, late = ([n for _, n in part] for part in (kept[: len(kept) // 2], kept[len(kept) // 2 :]))
    if "m3" in str(wanted) and "reading" in wanted:  # many members in any order
        assert len(kept) > 8
    if len(kept) > 4:
        assert max(late) <= 2 * max(early)
