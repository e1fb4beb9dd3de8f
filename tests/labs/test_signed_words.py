"""Words have signs: whatever takes a bitmask, or makes one, treats tokens 31 and 63 as all others.

A word is an ``int32``, so token 31 of its 32 is the sign. A function that counts, shifts or compares words has to
work on those below 0. The labs test their functions for it, and so do ``test_forbid.py`` and ``test_tuned.py``;
here is whatever else there is, with sets of ids as the oracle.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from bridges.hf.rows import Rows
from course.showcase.bench.adapters import Buffer
from course.showcase.demo.own import count_forced
from course.student.show.renderer import TokenTable
from labkit.small_model.generation import Generator, Request
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import GuideOfFunctions, allowed
from labs.lab_10_jump_forward import solution as lab_10
from labs.lab_13_fair_sampling.given.samplers import Allowed

SIZE = 64
SETS = [
    *({token} for token in (0, 30, 31, 32, 62, 63)),
    *({token, token + 1} for token in (30, 31, 62)),
    *({0, 31}, {31, 63}, {0, 1, 31, 32, 33, 63}, {*range(64)} - {31}),
    *({*range(*ends)} for ends in ((32,), (32, 64), (63,), (64,), (0, 64, 2))),
]
EACH = pytest.mark.parametrize("ids", SETS, ids=lambda ids: ",".join(map(str, sorted(ids)[:4])) + f"({len(ids)})")
LETTERS = Vocabulary([bytes([64 + token]) for token in range(SIZE)], eos_id=0)


def words_of(ids):
    """The bitmask of some ids, made of Python's numbers."""
    words = [sum(1 << token - 32 * word for token in ids if token // 32 == word) for word in (0, 1)]
    return np.array([word - (word >> 31 << 32) for word in words], np.int32)


def guide_of(words, accepts=True):
    """A guide that always allows the same."""

    def fill(states, out, remaining=None):
        out[:] = words

    guide = GuideOfFunctions(0, lambda *_: words, fill, lambda state, token: state + 1, lambda _: accepts, lambda _: 0)
    return lab_10.ByteGuideOfFunctions(guide, lambda _: b"ab", max, bool)


def by_generator(words):
    """The small model's generator: row t of its batch prefers token t, and gets it if it is allowed."""
    model = SimpleNamespace(
        config=SimpleNamespace(max_positions=9), new_cache=lambda rows: None, forward=lambda *_: np.eye(SIZE) * 9
    )
    guide = SimpleNamespace(initial=0, mask=lambda *_: words, advance=lambda state, token_id: state)
    answers = Generator(model, Vocabulary([*LETTERS.token_bytes, b"</s>"], eos_id=SIZE), batch=SIZE).answer(
        [Request([1], max_tokens=1, constraint=guide, temperature=0)] * SIZE
    )
    return np.array([answer.ids == (token,) for token, answer in enumerate(answers)])


def by_buffer(words):
    buffer = Buffer(SIZE)
    buffer.words[:] = words
    return buffer.bits()


def by_show(words):
    """The bits that ``show`` draws, the highest first."""
    drawn = TokenTable(LETTERS, unicode=True).bitmask(words.tolist())
    lines = [text for label, text in drawn if label.startswith("word")]
    return np.array([bit == "1" for line in lines for bit in "".join(line.split()[:4])[::-1]])


TAKERS = {
    "lab 09": lambda words: allowed(words, SIZE),
    "lab 13": lambda words: Allowed(guide_of(words), SIZE, 9)([]),
    "small model": by_generator,
    "bench": by_buffer,
    "show": by_show,
    "transformers": lambda words: Rows(LETTERS, guide_of(words), prompt_length=1).allowed(np.array([[1]]), SIZE)[0],
}


@pytest.mark.parametrize("name", TAKERS)
@EACH
def test_what_takes_a_bitmask_sees_all_its_tokens(name, ids):
    before = words_of(ids)
    words = before.copy()
    found = TAKERS[name](words)
    assert {*np.flatnonzero(found).tolist()} == ids
    assert words.tolist() == before.tolist()


@EACH
def test_what_counts_tokens_counts_the_sign_bit_once(ids):
    words = words_of(ids)
    assert count_forced(guide_of(words), [1, 2], 9) == 3 * (len(ids) == 1)
    sizes = lab_10.TokenBytes(Vocabulary([b"x" * token for token in range(1, SIZE + 1)], eos_id=0))
    assert sizes.longest_of(words) == max(ids - {0}, default=-1) + 1
