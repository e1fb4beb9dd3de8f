"""``python -m course show 14``: rows, kernel and walk, and what is shown of those that are missing or wrong."""

import re
from itertools import product

import numpy as np
import pytest

from labkit.scenes import BYTE_VOCABULARY
from tests.runs import solution, with_function
from tests.student.test_show import broken, frames, shown

TOKENS, EOS = BYTE_VOCABULARY.token_bytes, BYTE_VOCABULARY.eos_id
PATTERN = "(0|1|é){1,3} ?€"
MATCHES = {
    f"{''.join(chars)}{space}€".encode() for n in (1, 2, 3) for chars in product("01é", repeat=n) for space in ("", " ")
}
BEGINNINGS = {match[:size] for match in MATCHES for size in range(len(match) + 1)}


def raw(text):
    return text if isinstance(text, bytes) else text.encode()


def missing(source, *todos):
    """The file without what is written for these TODOs."""
    for todo in todos:
        text = f'raise NotImplementedError("lab 14, TODO {todo} (about 6 lines): x")\n'
        source = re.sub(
            rf"( +)# begin TODO {todo}\n.*?# end TODO {todo}\n", lambda found, t=text: found[1] + t, source, flags=re.S
        )
    return source


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", ["adversary", "digits", "random"])
def test_masks_and_words_are_those_of_brute_force(seed, model):
    seen = frames(14, pattern=PATTERN, model=model, seed=seed)
    assert len(seen) > 2
    for frame in seen:
        before = raw(frame.text)
        legal = {i for i, token in enumerate(TOKENS) if token and before + token in BEGINNINGS}
        legal -= BYTE_VOCABULARY.special_ids
        legal |= {EOS} if before in MATCHES else set()
        assert set(np.flatnonzero(frame.mask).tolist()) == legal and frame.chosen in legal and not frame.objection
        assert np.flatnonzero(np.isfinite(frame.masked)).tolist() == sorted(legal)
        words = [sum(1 << i % 32 for i in legal if i // 32 == n) for n in range(-(-len(TOKENS) // 32))]
        assert (frame.bitmask.astype(np.int64) & 0xFFFFFFFF).tolist() == words


def test_what_is_not_written_yet_is_done_another_way(tmp_path):
    whole = shown(14, impl="solution")
    assert "note      on the device: 12 rows of masks, as many of steps" in whole
    text = broken(tmp_path, missing(solution(14), 9, 17), 14)
    assert "note      masked by apply, until the kernel is written; stepped by the host" in text
    assert text.count("step ") == whole.count("step ") and "is a match" in text
    text = broken(tmp_path, missing(solution(14), 5), 14)
    assert "what the mask leaves: not written yet: lab 14, TODO 5" in text and "hint 14.5" in text
    assert "not written yet: lab 14, TODO 7" in broken(tmp_path, missing(solution(14), 7, 9), 14)


def test_a_padded_logit_that_can_be_sampled_is_told(tmp_path):
    kernel = "return None"
    text = broken(tmp_path, with_function(solution(14), "apply_on_device", kernel), 14)
    assert "column 37 is padding, and can still be sampled" in " ".join(text.split())


def test_a_wrong_walk_is_shown_where_it_ends(tmp_path):
    text = broken(tmp_path, with_function(solution(14), "advance_on_device", "args[0][:] = 99"), 14)
    assert "advance_kernel gave the state 99; there are 10 and two more" in " ".join(text.split())
    text = broken(tmp_path, with_function(solution(14), "advance_on_device", "return None"), 14)
    assert "wrong" in text and "the reference automaton is dead here" in text
