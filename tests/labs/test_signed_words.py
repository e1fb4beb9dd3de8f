"""Words have signs: whatever takes a bitmask, or makes one, treats tokens 31 and 63 as all others.

A word is an ``int32``, so token 31 of its 32 is the sign. A function that counts, shifts or compares words has to
work on those below 0. Here each such function gets words with the sign bit and without; sets of ids are the oracle.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from bridges.hf.lab_04 import MaskRows
from bridges.hf.rows import Rows
from bridges.llama_cpp.mask import MaskLogitsProcessor
from course.showcase.bench.engines.adapters import Buffer
from course.showcase.demo.own import count_forced
from course.student.show.renderer import TokenTable
from labkit.automata import Fsm
from labkit.errors import EmptyRow
from labkit.pictures.words import words_svg
from labkit.small_model.generation import Generator, Request
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_07_bytes_and_vocabularies import solution as lab_07
from labs.lab_09_inside_an_engine import solution as lab_09
from labs.lab_09_inside_an_engine.given.guides import GuideOfFunctions, allowed, forbid
from labs.lab_10_jump_forward import solution as lab_10
from labs.lab_11_tool_calls import solution as lab_11
from labs.lab_13_fair_sampling.given.samplers import Allowed
from labs.lab_15_gpu_bitmask import solution as lab_15
from labs.lab_15_gpu_bitmask.given import kept, tuned

SIZE = 64
SETS = [
    *({token} for token in (0, 30, 31, 32, 62, 63)),
    *({token, token + 1} for token in (30, 31, 62)),
    {0, 31},
    {31, 63},
    {0, 1, 31, 32, 33, 63},
    {*range(32)},
    {*range(32, 64)},
    {*range(63)},
    {*range(64)},
    {*range(64)} - {31},
    {*range(0, 64, 2)},
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


def zeros(rows=None):
    return np.zeros(SIZE if rows is None else (rows, SIZE), np.float32)


def in_place(change, rows=1):
    """The ids that a function which changes logits leaves in the last row."""
    logits = zeros(rows)
    change(logits)
    return np.isfinite(logits[-1])


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


def by_listed(words):
    ids, allows = lab_11.listed_ids(lab_11.ToolGuide(guide_of(words), 1, 1), words, SIZE)
    return np.isin(np.arange(SIZE), ids) == allows


def by_buffer(words):
    buffer = Buffer(SIZE)
    buffer.words[:] = words
    return buffer.bits()


def by_show(words):
    """The bits that ``show`` draws, the highest first."""
    drawn = TokenTable(LETTERS, unicode=True).bitmask(words.tolist())
    lines = [text for label, text in drawn if label.startswith("word")]
    return np.array([bit == "1" for line in lines for bit in "".join(line.split()[:4])[::-1]])


def state_of(words):
    return lab_09.StructuredOutputState(guide_of(words))


TAKERS = {
    "lab 09, tokens_of": lab_09.tokens_of,
    "lab 09, allowed": lambda words: allowed(words, SIZE),
    "lab 09, forbid": lambda words: in_place(lambda logits: forbid(logits, [0, 1], words[None].repeat(2, 0)), 2),
    "lab 09, apply": lambda words: np.isfinite(lab_09.apply_structured_output_mask(zeros(), state_of(words))),
    "lab 09, mask_batch": lambda words: in_place(lambda logits: lab_09.mask_batch([None, state_of(words)], logits), 2),
    "lab 11, listed_ids": by_listed,
    "lab 11, mask_rows": lambda words: in_place(
        lambda logits: lab_11.mask_rows(
            [None, lab_09.StructuredOutputState(lab_11.ToolGuide(guide_of(words), 1, 1))], logits
        ),
        2,
    ),
    "lab 13, Allowed": lambda words: Allowed(guide_of(words), SIZE, 9)([]),
    "lab 15, unpack": lambda words: lab_15.unpack(words[None], SIZE)[0],
    "lab 15, apply": lambda words: in_place(lambda logits: lab_15.apply(logits, words[None], SIZE)),
    "lab 15, tuned": lambda words: in_place(lambda logits: tuned.apply(logits, words[None], SIZE)),
    "lab 15, kept": lambda words: in_place(lambda logits: kept.apply_kept(logits, [kept.keep_row(words, SIZE)])),
    "lab 15, a block": lambda words: in_place(lambda row: lab_15.mask_block_on_device(row[0], words, SIZE, 0, 64)),
    "lab 15, all rows": lambda words: in_place(lambda logits: lab_15.apply_on_device(logits, words[None], SIZE)),
    "lab 15, some rows": lambda words: in_place(
        lambda logits: lab_15.apply_on_device(logits, words[None].repeat(2, 0), SIZE, np.array([1], np.int32)), 2
    ),
    "lab 15, states": lambda words: in_place(
        lambda logits: lab_15.apply_states_on_device(logits, np.array([0], np.int32), words[None], SIZE)
    ),
    "small model": by_generator,
    "bench": by_buffer,
    "show": by_show,
    "transformers": lambda words: Rows(LETTERS, guide_of(words), prompt_length=1).allowed(np.array([[1]]), SIZE)[0],
    "llama.cpp": lambda words: np.isfinite(
        MaskLogitsProcessor(LETTERS, guide_of(words), 1)(np.array([1], np.intc), zeros())
    ),
}


@pytest.mark.parametrize("name", TAKERS)
@EACH
def test_what_takes_a_bitmask_sees_all_its_tokens(name, ids):
    before = words_of(ids)
    words = before.copy()
    found = TAKERS[name](words)
    assert (found if isinstance(found, set) else {*np.flatnonzero(found).tolist()}) == ids
    assert words.tolist() == before.tolist()


@EACH
def test_what_counts_tokens_counts_the_sign_bit_once(ids):
    words, count = words_of(ids), len(ids)
    state = state_of(words)
    assert lab_09.is_finished(state) is (count <= 1)
    forced = lab_10.single_tokens(guide_of(words, accepts=False), 0, 3)
    assert forced == ([*ids] * 3 if count == 1 else [])
    assert lab_15.least_bytes(words[None], SIZE, SIZE, 4) == 8 + 4 * (SIZE - count)
    assert str(words_svg(words.tolist(), SIZE)).count('class="bit allowed') == count
    assert count_forced(guide_of(words), [1, 2], 9) == 3 * (count == 1)
    sizes = lab_10.TokenBytes(Vocabulary([b"x" * token for token in range(1, SIZE + 1)], eos_id=0))
    assert sizes.longest_of(words) == max(ids - {0}, default=-1) + 1
    lab_15.fill([lambda _: words], [0], np.zeros((1, 2), np.int32), SIZE)
    assert lab_15.mask_table(words[None], eos_id=31).tolist() == [words.tolist(), *[[-(1 << 31), 0]] * 2]


def test_a_word_below_zero_after_the_last_token_allows_nothing():
    """Its tail has ones: 40 tokens, and bits 40 to 63 are set."""
    words = words_of({*range(40, 64)})
    with pytest.raises(EmptyRow):
        lab_15.fill([lambda _: words], [0], np.zeros((1, 2), np.int32), 40)
    assert not lab_15.unpack(words[None], 40).any() and not allowed(words, 40).any()
    assert lab_15.least_bytes(words[None], 40, 40, 4) == 8 + 4 * 40


@EACH
def test_what_makes_a_bitmask_sets_the_sign_bit(ids):
    expected = words_of(ids).tolist()
    bits = np.isin(np.arange(SIZE), sorted(ids))
    rows = lab_07.TokenVocabularyIndex(LETTERS).rows
    made = {
        "lab 07, pack_mask": lab_07.pack_mask(bits),
        "lab 07, rows packed": rows.packed(bits),
        "lab 07, rows of": rows.of(np.array(sorted(ids), np.intp)),
        "lab 15, pack": lab_15.pack(bits[None])[0],
        "lab 15, fill": lab_15.fill([lambda _: words_of(ids)], [0], out := np.zeros((1, 2), np.int32), SIZE) + out[0],
    }
    lab = SimpleNamespace(
        prepare=lambda pattern, vocabulary: (Fsm(({},), 0, frozenset()), (dict.fromkeys(ids, 0),)),
        mask_rows=lambda *_: bits[None],
    )
    bridge = MaskRows(lab, "", Vocabulary([*LETTERS.token_bytes], eos_id=0))
    made["transformers, lab 04"] = bridge.mask(0)
    for token in ids:
        assert bridge.advance(0, token) == (MaskRows.ENDED if token == 0 else 0)
    for name, words in made.items():
        assert (words.dtype, words.tolist()) == (np.int32, expected), name


@pytest.mark.parametrize("first", [0, 28, 29, 30, 31, 60, 61])
def test_where_the_tokens_are_makes_no_difference(first):
    """The tokens a, b, c and EOS, wherever they are in the vocabulary: masks, forced tokens and ends are the same."""
    tokens = [*[b"#"] * first, b"a", b"b", b"c", b"</s>", *[b"#"] * 3]
    vocabulary = Vocabulary(tokens, eos_id=first + 3)
    for asked in ({"regex": "[ab]c"}, {"grammar": 'root ::= ("a" | "b") "c"'}):
        guide, state = (made := compile_guide(vocabulary, **asked)), made.initial
        for legal, forced, ended in (({0, 1}, [], False), ({2}, [2], False), ({3}, [], True), (set(), [], True)):
            where = {first + token for token in legal}
            for remaining in (None, 9):
                assert lab_09.tokens_of(guide.mask(state, remaining)) == where, (asked, remaining)
            assert lab_09.is_finished(lab_09.StructuredOutputState(guide, state), 9) is ended
            assert lab_10.single_tokens(guide, state, 9) == [first + token for token in forced]
            state = guide.advance(state, min(where)) if where else state
