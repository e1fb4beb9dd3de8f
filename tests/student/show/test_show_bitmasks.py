"""``course show`` of labs 07 and 15: bitmasks over bytes, and texts that end in the middle of a character."""

import re
from itertools import product

import numpy as np
import pytest

from course.student.show.renderer import TokenTable
from labkit.scenes import BYTE_VOCABULARY
from labkit.vocabulary import Vocabulary
from tests.runs import solution, with_function, without
from tests.student.show.test_show import broken, frames, shown

TOKENS = BYTE_VOCABULARY.token_bytes
EOS = BYTE_VOCABULARY.eos_id
CHARS = {7: "0123456789", 15: "01é"}
"""What each pattern repeats: one to three of these, perhaps a space, and €."""


def prefixes_and_matches(chars):
    """Every text that ``[chars]{1,3} ?€`` matches, and what each may start with, as bytes."""
    texts = [f"{''.join(some)}{space}€" for n in (1, 2, 3) for some in product(chars, repeat=n) for space in ("", " ")]
    matches = {text.encode() for text in texts}
    return {match[:size] for match in matches for size in range(len(match) + 1)}, matches


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("model", ["adversary", "digits", "random"])
@pytest.mark.parametrize("number", CHARS)
def test_masks_and_words_are_those_of_brute_force(number, model, seed):
    prefixes, matches = prefixes_and_matches(CHARS[number])
    seen = frames(number, grammar=f"({'|'.join(CHARS[number])}){{1,3}} ?€", model_name=model, seed=seed)
    assert len(seen) > 2
    for frame in seen:
        before = frame.text if isinstance(frame.text, bytes) else frame.text.encode()
        legal = {i for i, token in enumerate(TOKENS) if token and before + token in prefixes}
        legal -= BYTE_VOCABULARY.special_ids
        legal |= {EOS} if before in matches else set()
        assert set(np.flatnonzero(frame.mask).tolist()) == legal and frame.chosen in legal and not frame.objection
        assert np.flatnonzero(np.isfinite(frame.masked)).tolist() == sorted(legal)
        words = [sum(1 << i % 32 for i in legal if i // 32 == n) for n in range(-(-len(TOKENS) // 32))]
        assert (frame.bitmask.astype(np.int64) & 0xFFFFFFFF).tolist() == words


def test_a_text_may_end_in_the_middle_of_a_character():
    halves = [frame for seed in range(4) for frame in frames(7, seed=seed) if isinstance(frame.text, bytes)]
    assert halves and all("half a character" in frame.state for frame in halves)
    for frame in halves:
        assert frame.text.decode(errors="ignore") != frame.text.decode(errors="replace")
    assert re.search(r"text +b'[0-9]+ ?\\xe2", shown(7, impl="solution"))


def test_a_special_token_is_told_from_its_twin_and_the_sign_bit_is_token_31():
    """Two tokens have the bytes of 7, and one of them is struck."""
    lines = [line for line in shown(7, impl="solution").splitlines() if re.search(r"b?'7' ", line)]
    assert any("struck: special" in line for line in lines if "b'7'" in line)
    assert not any("special" in line for line in lines if "b'7'" not in line)
    text = shown(7, impl="solution", seed=1)
    assert r"10000000 00000000 00000000 00000000   -2147483648" in text and r"31 b'\xac'" in text


def test_a_word_table_holds_every_bit():
    table = TokenTable(Vocabulary([b"x"] * 70, eos_id=0), unicode=True)
    allowed = np.flatnonzero(np.random.default_rng(0).random(70) < 0.4).tolist()
    words = [sum(1 << i % 32 for i in allowed if i // 32 == n) for n in range(3)]
    lines = [text for _, text in table.bitmask(words)]
    bits = "".join(line.rpartition(" ")[0].replace(" ", "")[::-1] for line in lines[::2])
    assert bits == "".join("01"[i in allowed] if i < 70 else "." for i in range(96))
    named = [int(name) for line in lines[1::2] for name in re.findall(r"(\d+) (?:EOS|'x')", line)]
    assert sorted(named) == allowed


def test_a_bit_without_a_token_is_shown_and_refused(tmp_path):
    more = "return np.full_like(args[1], -1)"
    text = " ".join(broken(tmp_path, with_function(solution(7), "mask_row", more), 7).split())
    assert "the mask has bit 37 set, and the last token is 36" in text and "word 1 11111111" in text
    assert "no such token" in " ".join(line for _, line in TokenTable(BYTE_VOCABULARY, unicode=True).bitmask([0, -1]))


def test_the_students_own_walk_makes_the_first_mask(tmp_path):
    """Nothing of the reference's goes around it."""
    text = broken(tmp_path, with_function(solution(7), "walk", "return [(args[2][:0], args[3][:0])] * 2"), 7)
    assert "the mask leaves no token: nothing can follow" in " ".join(text.split())


ONLY = "return pack_mask(np.arange(37) == {})"


@pytest.mark.parametrize(
    ("number", "function", "body", "said"),
    [
        (7, "mask_row", ONLY.format(36), "this token is special"),
        (7, "mask_row", ONLY.format(35), "this token has no bytes"),
        (7, "mask_row", ONLY.format(EOS), "EOS is not legal here: '' is no match"),
        (7, "mask_row", ONLY.format(33), "state 0 --20--> dead"),
        (7, "pack_mask", "return 1 / 0", "ZeroDivisionError"),
        (7, "next_state", "return 1 / 0", "the next state: ZeroDivisionError"),
        (7, "walk", 'raise NotImplementedError("lab 07, TODO 5 (about 9 lines): x")', "TODO 5 (about 9 lines)"),
        (15, "apply_on_device", "return None", "column 37 is padding, and can still be sampled"),
        (15, "advance_on_device", "args[0][:] = 99", "advance_kernel gave the state 99; there are 9 and two more"),
        (15, "advance_on_device", "return None", "the reference automaton is dead here"),
    ],
)
def test_what_is_wrong_is_part_of_the_show(tmp_path, number, function, body, said):
    text = " ".join(broken(tmp_path, with_function(solution(number), function, body), number).split())
    assert said in text and (number == 15 or "step 3" not in text)


# Lab 15's device --------------------------------------------------------------------------------------


def test_what_is_not_written_yet_is_done_by_a_substitute(tmp_path):
    whole = shown(15, impl="solution")
    assert "note      on the device: 11 rows of masks, as many of steps" in whole
    text = broken(tmp_path, without(15, [2, 3, 7]), 15)
    assert "note      the automaton's rows, until fill is written; masked by apply" in " ".join(text.split("\n"))
    assert text.count("step ") == whole.count("step ") and "is a match" in text
    text = broken(tmp_path, without(15, [1, 3]), 15)
    assert "not written yet: lab 15, TODO 1" in text and "hint 15.1" in text
