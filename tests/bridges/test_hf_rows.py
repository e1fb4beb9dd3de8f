"""The logic of the bridge's logits processor, without PyTorch: a row's mask follows from its ids and nothing else."""

import itertools
import random
from unittest.mock import Mock

import numpy as np
import pytest

from bridges.first_labs import Lifted
from bridges.hf.rows import Rows
from labkit.errors import NoLegalToken, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide

TOKENS = ["r", "re", "red", "g", "green", "een", "ed", "b", "bl", "u", "e", "x", "l", "n", "d"]
EOS = len(TOKENS)
COLOURS = Vocabulary([*(text.encode() for text in TOKENS), b"</s>", b"<pad>"], eos_id=EOS, special_ids=[EOS + 1])
PAD = EOS + 1
V = len(COLOURS)
WORDS = ["red", "green", "blue", "reed"]
GUIDE = compile_guide(COLOURS, regex="|".join(WORDS))
PROMPT = 3


def legal(text, words=WORDS, remaining=None):
    """Return the tokens that may follow a text, by trying each: some word continues so, and can still be finished."""
    follow = [token_id for token_id, token in enumerate(TOKENS) if any(w.startswith(text + token) for w in words)]
    if remaining is not None:
        follow = [token_id for token_id in follow if fewest(text + TOKENS[token_id]) + 2 <= remaining]
    return {*follow, *([EOS] if text in words else [])}


def fewest(text):
    if text in WORDS:
        return 0
    return min((1 + fewest(text + TOKENS[token_id]) for token_id in legal(text)), default=99)


def text_of(ids):
    return "".join(TOKENS[token_id] for token_id in ids if token_id < EOS)


def grown(words):
    """Return all token sequences that are prefixes of words, and those of whole words with EOS and padding."""
    found = [[]]
    for ids in found:
        found += [[*ids, token_id] for token_id in sorted(legal(text_of(ids), words) - {EOS})]
    return found + [[*ids, EOS, *[PAD] * n] for ids in found if text_of(ids) in words for n in range(7 - len(ids))]


def batch(rows):
    """Return the ids of rows of one length: an arbitrary prompt, then the answers."""
    return np.array([[7, EOS, 1, *row] for row in rows], np.int64)


def expected(ids, width=V, words=WORDS, remaining=None):
    row = np.zeros(width, bool)
    row[[EOS] if EOS in ids else list(legal(text_of(ids), words, remaining))] = True
    return row.tolist()


def made(constraints=(GUIDE,), **options):
    return Rows(COLOURS, constraints, PROMPT, **options)


# A row's mask follows from its ids ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_any_rows_in_any_order(seed):
    """Beams are dropped, repeated and reordered, rows that ended are padded, guessed tokens are withdrawn.

    Each request has its own constraint and as many rows, and two write the same with different states.
    """
    rng, length, words = random.Random(seed), 0, [WORDS, None, ["x", "rel", "reel", "reell"]]
    rng.shuffle(words)
    written = [grown(each or WORDS) for each in words]
    rows = made([each and compile_guide(COLOURS, regex="|".join(each)) for each in words])
    for _ in range(100):
        length, width = min(7, max(0, length + rng.choice([-2, 0, 0, 1, 1]))), rng.choice([V, 64])
        each = rng.randint(1, 9)
        drawn = [rng.choices([ids for ids in one if len(ids) == length], k=each) for one in written]
        wanted = [
            expected(ids, width, one) if one else [True] * width
            for one, some in zip(words, drawn, strict=True)
            for ids in some
        ]
        assert rows.allowed(batch(itertools.chain(*drawn)), width).tolist() == wanted


def test_a_new_token_is_one_step():
    guide = compile_guide(COLOURS, regex="x*")
    counting = Mock(spec=guide, wraps=guide, initial=guide.initial)
    rows = made([counting])
    for length in range(101):
        rows.allowed(batch([[11] * length] * 4), V)
    assert 100 <= counting.advance.call_count <= 4 * 100
    rows.allowed(batch([[11] * 50]), V)
    assert counting.advance.call_count <= 4 * 100 + 50


# Budget, prompts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", range(2, 9))
def test_within_a_budget(budget):
    rows = made(max_new_tokens=budget)
    for ids in grown(WORDS):
        wanted = expected(ids, remaining=budget - len(ids)) if len(ids) < budget else None
        if wanted and any(wanted):
            assert rows.allowed(batch([ids]), V).tolist() == [wanted]


@pytest.mark.parametrize("seed", range(5))
def test_the_length_of_the_prompts_is_learned_at_the_first_call_of_each_generation(seed):
    """Prompts of any length, one generation after another, some broken off; rows dropped and repeated as by beams."""
    rng = random.Random(seed)
    rows = Rows(COLOURS, GUIDE)
    for _ in range(12):
        prompts = [[rng.randrange(V) for _ in range(rng.randrange(1, 6))]] * 3
        prompts = [[*prompt[1:], number] for number, prompt in enumerate(prompts)]
        told, written = Rows(COLOURS, GUIDE, len(prompts[0])), [[], [], []]
        for _ in range(rng.randrange(1, 5)):
            ids = np.array([[*prompt, *row] for prompt, row in zip(prompts, written, strict=True)], np.int64)
            allowed = rows.allowed(ids, V)
            assert allowed.tolist() == told.allowed(ids, V).tolist()
            written = [
                [*row, int(rng.choice(np.flatnonzero(legal)))] for row, legal in zip(written, allowed, strict=True)
            ]
            kept = [rng.randrange(3) for _ in range(3)]
            prompts, written = [prompts[k] for k in kept], [written[k] for k in kept]


# What goes wrong ----------------------------------------------------------------------------------------


USED_UP = "row 1 has 2 new tokens already, and max_new_tokens is 2"
ASTRAY = r"token 11 is not allowed in row 1, place 1 of its answer: prompt_length is 3"


ELSE = compile_guide(Vocabulary.bytes(), regex="a")
WRONG = {
    "no budget left": ({"max_new_tokens": 2}, batch([[2, EOS], [0, 6]]), V, ValueError, USED_UP),
    "budget too small": ({"max_new_tokens": 1}, batch([[]]), V, NoLegalToken, "after the text ''"),
    "illegal": ({}, batch([[2, EOS], [3, 11]]), V, TokenNotAllowed, ASTRAY),
    "early EOS": ({}, batch([[0, EOS, PAD]]), V, TokenNotAllowed, f"token {EOS} .* place 1 "),
    "rows": ({"constraints": [GUIDE, None]}, batch([[], [], []]), V, ValueError, "3 rows for 2 constraints"),
    "width": ({}, batch([[], []]), V - 1, ValueError, "16 logits for a vocabulary of 17 tokens"),
    "model": ({}, batch([[], []]), V + 1025, ValueError, "1042 logits for a vocabulary of 17 tokens: is it"),
    "guide": ({"constraints": [ELSE]}, batch([[]]), V, ValueError, "mask of 9 words for a vocabulary of 17 tokens"),
    "prompt": ({}, np.zeros((1, 2), np.int64), V, ValueError, "rows of 2 ids, and prompt_length is 3"),
    "no constraint": ({"constraints": []}, batch([[]]), V, ValueError, "constraint for each request"),
}


@pytest.mark.parametrize(("options", "ids", "width", "error", "message"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_an_error_that_says_where(options, ids, width, error, message):
    with pytest.raises(error, match=message):
        made(**options).allowed(ids, width)


def test_with_beams_a_lost_row_allows_nothing_and_neither_does_an_ended_one():
    rows = made(beams=True)
    found = rows.allowed(batch([[2, 11], [2, EOS], [0, 10]]), V).tolist()
    assert found == [[False] * V] * 2 + [expected([0, 10])]
    deeper = rows.allowed(batch([[2, 11, 4], [2, EOS, EOS], [0, 10, 6]]), V).tolist()
    assert deeper == [[False] * V] * 2 + [expected([0, 10, 6])]


# Labs 02 to 05 as a constraint ----------------------------------------------------------------------------


def test_the_first_labs_allow_what_the_engine_allows():
    pattern = "g[re]+n"
    mine, guide = Lifted(pattern, COLOURS), compile_guide(COLOURS, regex=pattern)
    for remaining in (None, 2, 9):
        for text in ([], [0], [2, EOS]):
            one, other = mine.initial, guide.initial
            for token_id in text:
                if not guide.mask(other)[0] >> token_id & 1:
                    with pytest.raises(TokenNotAllowed, match=f"token {token_id} "):
                        mine.advance(one, token_id)
                    break
                one, other = mine.advance(one, token_id), guide.advance(other, token_id)
            assert (mine.mask(one, remaining) == guide.mask(other, remaining)).all(), (remaining, text)
