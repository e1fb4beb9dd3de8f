"""The logits processor for llama.cpp, without llama.cpp: what it is asked is ids and logits in NumPy."""

import numpy as np
import pytest

from bridges.hf.lab_04 import MaskRows
from bridges.llama_cpp.mask import MaskLogitsProcessor
from labkit.errors import NoLegalToken, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_04_eos_gating import solution as lab_04
from mask_engine import compile_guide

TOKENS = ["r", "re", "red", "ed", "d", "x"]
EOS = len(TOKENS)
COLOURS = Vocabulary([*(text.encode() for text in TOKENS), b"</s>"], eos_id=EOS)
LOGITS = np.arange(7, dtype=np.single)
PROMPT = [5, EOS, 0]


def asked(processor, answer, logits=LOGITS):
    """Return which tokens keep their logit; the others have minus infinity."""
    found = processor(np.array(PROMPT + answer, np.intc), logits)
    assert found.dtype == np.single and np.array_equal(found[found > -np.inf], logits[found > -np.inf])
    return np.flatnonzero(found > -np.inf).tolist()


def in_place(logits, row):
    logits[~row] = -np.inf
    return logits


@pytest.mark.parametrize("mask_logits", [None, lab_04.mask_logits, in_place])
def test_what_may_come_next_keeps_its_logit(mask_logits):
    for constraint in (compile_guide(COLOURS, regex="red"), MaskRows(lab_04, "red", COLOURS)):
        processor = MaskLogitsProcessor(COLOURS, constraint, len(PROMPT), mask_logits=mask_logits)
        before = LOGITS.copy()
        for answer, allowed in [([], [0, 1, 2]), ([0], [3]), ([1], [4]), ([2], [EOS]), ([1, 4], [EOS])]:
            assert asked(processor, answer) == allowed and not processor.check(None, None)
        assert np.array_equal(LOGITS, before)


def test_within_a_budget_there_is_room_for_the_end():
    guide = compile_guide(COLOURS, regex="red")
    assert asked(MaskLogitsProcessor(COLOURS, guide, len(PROMPT), max_new_tokens=2), []) == [2]
    assert asked(MaskLogitsProcessor(COLOURS, guide, len(PROMPT), max_new_tokens=3), []) == [0, 1, 2]


def broken(logits, row):
    raise ZeroDivisionError("mine")


GUIDE, DEAD_END = compile_guide(COLOURS, regex="red"), compile_guide(COLOURS, regex="ree")
WRONG = {
    "not allowed": (GUIDE, [1, 5], {}, TokenNotAllowed, "token 5 is not allowed in row 0, place 1"),
    "dead end": (DEAD_END, [1], {}, NoLegalToken, "after the text 're'"),
    "budget": (GUIDE, [1, 4], {"max_new_tokens": 2}, ValueError, "max_new_tokens is 2"),
    "shape": (GUIDE, [], {"mask_logits": lambda logits, row: logits[row]}, ValueError, r"\(7,\); it gave \(3,\)"),
    "a fault of lab 04's": (GUIDE, [], {"mask_logits": broken}, ZeroDivisionError, "mine"),
}


@pytest.mark.parametrize(("constraint", "answer", "options", "error", "message"), WRONG.values(), ids=WRONG)
def test_an_error_ends_the_answer_and_is_raised_once_by_the_check(constraint, answer, options, error, message):
    processor = MaskLogitsProcessor(COLOURS, constraint, len(PROMPT), **options)
    assert asked(processor, answer) == [EOS]
    with pytest.raises(error, match=message):
        processor.check(None, None)
    assert processor.check(None, None) is False
