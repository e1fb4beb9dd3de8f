"""Masks and states on the device are the host's, bit for bit, over whole generations of several patterns."""

import random

import numpy as np
import pytest

from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
from labs.lab_15_gpu_bitmask import solution as lab_15
from labs.lab_15_gpu_bitmask.given import token_automata as automata
from mask_engine import FINISHED, Guide, guide_of

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


def test_masks_that_take_too_much_memory_are_refused(monkeypatch):
    monkeypatch.setattr(automata, "MOST_WORDS", 40)
    with pytest.raises(LimitExceeded, match=r"the masks of .* states take too many words; the limit is 40"):
        automata.automaton_of([r"[0-9]{9}"], TokenVocabularyIndex(VOCABULARY))
