"""Masks and states on the device are the host's, bit for bit, over whole generations of several patterns."""

import random

import numpy as np
import pytest

from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.assembled import FINISHED, Guide, guide_of
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
from labs.lab_15_gpu_bitmask import solution as lab_15
from labs.lab_15_gpu_bitmask.given import token_automata as automata

PATTERNS = (r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", "caf[éè]{1,2}!", r'"[a-zé ]{0,6}"', "yes|no|maybe", "(€|😀)+x?")


def some_vocabulary() -> Vocabulary:
    """Bytes, pieces of texts that the patterns match, cut anywhere, and special tokens: 431 tokens."""
    rng = random.Random(0)
    texts = ["-12.5", "0.25", "café!", "cafèé!", '"a é b"', "yes", "maybe", "€😀x", "😀€"]
    pieces = {text.encode()[i:j] for text in texts for i in range(12) for j in range(i + 1, 13)} - {b""}
    tokens = [b"<s>", b"</s>", b"yes", *(bytes([b]) for b in range(256)), *rng.sample(sorted(pieces), 140)]
    return Vocabulary(tokens, eos_id=1, special_ids=[0, 2])


VOCABULARY = some_vocabulary()
SIZE = len(VOCABULARY)


@pytest.fixture(scope="module")
def tables():
    return lab_15.tables_of(PATTERNS, VOCABULARY)


@pytest.fixture(scope="module")
def guides():
    """Through minimal automata, whose states are as few as a device's."""
    return [guide_of(VOCABULARY, compile_dfa(pattern)) for pattern in PATTERNS]


def host_row(guide: Guide | None, state, row):
    """What the host would have applied: its packed row, all ones where free, EOS alone where finished."""
    if guide is None:
        return row
    ids = [VOCABULARY.eos_id] if state == FINISHED else np.flatnonzero(lab_15.unpack(guide.mask(state)[None], SIZE)[0])
    expected = np.full(len(row), -np.inf, np.float32)
    expected[ids] = row[ids]
    return expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("forced", [False, True], ids=["sampled", "forced"])
def test_whole_generations(tables, guides, seed, forced):
    """Rows of all patterns and free ones; tokens sampled from what is left, or forced from allowed ones by the host."""
    rng = np.random.default_rng(seed)
    which = [*range(len(PATTERNS)), None, 0, None, 2]
    states = np.array([lab_15.FREE if p is None else tables.initial[p] for p in which], np.int32)
    host = [None if p is None else guides[p].initial for p in which]
    for _ in range(16):
        before = rng.normal(size=(len(which), SIZE + 17)).astype(np.float32)
        logits = before.copy()
        lab_15.apply_states_on_device(logits, states, tables.masks, SIZE, block=128)
        asked = [None if p is None else guides[p] for p in which]
        assert np.array_equal(logits, np.stack(list(map(host_row, asked, host, before))))
        tokens = [int(row.argmax()) for row in logits]
        if forced:
            tokens = [int(rng.choice(np.flatnonzero(np.isfinite(row)))) for row in logits]
        lab_15.advance_on_device(states, np.array(tokens, np.int32), tables.symbols, tables.offsets, tables.steps)
        host = [
            state if p is None or state == FINISHED else guides[p].advance(state, token)
            for p, state, token in zip(which, host, tokens, strict=True)
        ]
        finished = len(tables.masks) - 2
        assert [int(s) == finished for s in states] == [state == FINISHED for state in host]
        assert [int(s) == lab_15.FREE for s in states] == [p is None for p in which]


def test_states_are_one_to_one_with_the_hosts(tables, guides):
    """The number of a device's state and the host's state say the same: neither merges what the other keeps apart."""
    rng = np.random.default_rng(9)
    pairs = [set() for _ in PATTERNS]
    for number, guide in enumerate(guides):
        for _ in range(30):
            state, device = guide.initial, np.array([tables.initial[number]], np.int32)
            for _ in range(8):
                pairs[number].add((state, int(device[0])))
                ids = np.flatnonzero(lab_15.unpack(guide.mask(state)[None], SIZE)[0])
                token = int(rng.choice(ids))
                if token == VOCABULARY.eos_id:
                    break
                state = guide.advance(state, token)
                lab_15.advance_on_device(
                    device, np.array([token], np.int32), tables.symbols, tables.offsets, tables.steps
                )
    for found in pairs:
        assert len(found) > 2 and len({s for s, _ in found}) == len({d for _, d in found}) == len(found)


def test_a_token_that_is_not_allowed_leads_to_dead_and_stays_there(tables, guides):
    dead = len(tables.masks) - 1
    for number, guide in enumerate(guides):
        allowed = lab_15.unpack(guide.mask(guide.initial)[None], SIZE)[0]
        forbidden = np.flatnonzero(~allowed)[number::6]
        states = np.full(len(forbidden), tables.initial[number], np.int32)
        for _ in range(2):
            lab_15.advance_on_device(states, forbidden.astype(np.int32), tables.symbols, tables.offsets, tables.steps)
            assert (states == dead).all()


def test_filled_rows_and_rows_by_state_are_the_same(tables, guides):
    """Lab 07's rows, filled by the host and applied by row, against the device's own."""
    which = [0, None, 2, 3, None, 4]
    masks = [None if p is None else guides[p].mask for p in which]
    out = np.zeros((len(which), -(-SIZE // 32)), np.int32)
    rows = lab_15.fill(masks, [0 if p is None else guides[p].initial for p in which], out, SIZE)
    states = np.array([lab_15.FREE if p is None else tables.initial[p] for p in which], np.int32)
    one, other = (np.zeros((len(which), SIZE + 9), np.uint16) for _ in range(2))
    lab_15.apply_on_device(one, out, SIZE, rows=rows, block=64)
    lab_15.apply_states_on_device(other, states, tables.masks, SIZE, block=64)
    assert np.array_equal(one, other) and rows.tolist() == [0, 2, 3, 5]


def test_masks_that_take_too_much_memory_are_refused(monkeypatch):
    monkeypatch.setattr(automata, "MOST_WORDS", 40)
    with pytest.raises(LimitExceeded, match=r"the masks of .* states take too many words; the limit is 40"):
        automata.automaton_of([r"[0-9]{9}"], TokenVocabularyIndex(VOCABULARY))


def test_bytes_lead_where_the_automaton_of_bytes_leads():
    automaton = automata.automaton_of(["é|a", "b"], TokenVocabularyIndex(VOCABULARY))
    assert automaton.initial.tolist() == [0, len(automaton.steps) - 2]
    half = automaton.steps[0, 0xC3]
    assert automaton.steps[half, 0xA9] == automaton.steps[0, ord("a")] and (automaton.steps[half] >= 0).sum() == 1
    assert automaton.steps[automaton.initial[1], ord("b")] == len(automaton.steps) - 1 and automaton.accepting[-1]
