"""Masks made on demand are those of each token on its own, and of whole tables: odd vocabularies, and the real one."""

import contextlib
import random

import numpy as np
import pytest

import mask_engine
from labkit.errors import LimitExceeded, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.on_demand import fsm, strings
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa, lift
from mask_engine import compile_guide
from tests.labs.lab_06.test_agreement import random_pattern
from tests.labs.lab_07.plain import Plain
from tests.walks import ids_of

PATTERNS = ("a*", "(ab|b)+c?", ".{0,3}", r"\w+é?", "[^a]b*", "é+|aé", "a{2}|b{3}|c", "x", " [^b]{1,2}", "([^é]|é😀)*")
PATTERNS += ("(ab|é){2,5}b?", "a{8}b", "[ab]{3}|€{2}( a){1,3}", "(a{2,3}b?){1,2}", "😀?aq|b", "a[\ud800-\udfff]|bb", "")
TEXTS = ("aébc", "éaab", "bb\U0001f600c", " a é", "b  😀", "\ud800x", "€ba")
PIECES = [
    raw[i:j]
    for raw in (text.encode(errors="surrogatepass") for text in TEXTS)
    for i in range(9)
    for j in range(i + 1, 10)
]
SINGLES = [bytes([byte]) for byte in range(256)]
KINDS = {"pieces": [], "letters": [b"a", b"b", b" ", b"c"], "bytes": SINGLES}
BUDGETS = (1, 2, 3, 4, 5, 7, 10, 40)


@pytest.fixture(params=[0, 3000])
def worth_it(request, monkeypatch):
    """Rows for every state of a string, however few tokens begin there; or for none of a small vocabulary."""
    monkeypatch.setattr(strings, "WORTH_IT", request.param)


def odd_vocabulary(rng, kind="pieces"):
    """Return pieces of characters, twins, empty and special tokens, with EOS anywhere: alone, or with all bytes."""
    tokens = [rng.choice([*PIECES, b""]) for _ in range(rng.randrange(1, 70))] + KINDS[kind]
    rng.shuffle(tokens)
    eos_id = rng.randrange(len(tokens) + 1)
    tokens.insert(eos_id, rng.choice([b"</s>", b"a"]))
    return Vocabulary(tokens, eos_id=eos_id, special_ids=[i for i in range(len(tokens)) if rng.random() < 0.1])


def both(vocabulary, pattern):
    """Return the guide of a pattern, and the plain one."""
    return compile_guide(vocabulary, regex=pattern), Plain(compile_dfa(pattern), vocabulary)


def walk(guide, plain, vocabulary, most=30):
    """Visit the states of both that the same tokens lead to, and compare everything that a guide can be asked."""
    seen, waiting = {guide.initial}, [(guide.initial, plain.initial)]
    for one, other in waiting:  # which grows
        allowed = guide.mask(one)
        assert allowed.dtype == np.int32 and not allowed.flags.writeable
        assert np.array_equal(allowed, plain.mask(other)), one
        assert guide.is_accepting(one) == plain.is_accepting(other)
        assert guide.next_bytes(one) == plain.next_bytes(other)
        assert guide.tokens_to_accept(one) == plain.tokens_to_accept(other)
        for budget in BUDGETS:
            within = guide.mask(one, budget)
            assert not within.flags.writeable and np.array_equal(within, plain.mask(other, budget)), (one, budget)
        bits = np.unpackbits(allowed.view(np.uint8), bitorder="little")[: len(vocabulary)]
        for token_id in np.flatnonzero(bits == 0)[:9].tolist():
            with pytest.raises(TokenNotAllowed):
                guide.advance(one, token_id)
        for token_id in bits.nonzero()[0].tolist():
            if (after := guide.advance(one, token_id)) not in seen and len(seen) < most:
                seen.add(after)
                waiting.append((after, plain.advance(other, token_id)))


@pytest.mark.usefixtures("worth_it")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pattern", [*PATTERNS, *range(10)], ids=ascii)
def test_every_state_with_small_odd_vocabularies(pattern, kind):
    """Of these patterns, and of random ones, by a seed."""
    rng = random.Random(f"{pattern!a} {kind}")
    vocabulary, plain = odd_vocabulary(rng, kind), None
    while plain is None:
        with contextlib.suppress(ValueError):
            guide, plain = both(vocabulary, pattern if isinstance(pattern, str) else random_pattern(rng, 4))
    walk(guide, plain, vocabulary)


COUNTED = (
    "a{0,40}b?",
    "(a|é){20,50}",
    "(ab|[^b]){0,25} ",
    "(a?){0,25}b",
    "((a|b{1,9}),){3,12}",
    "((ab){0,9}c?){0,9}",
    "(a{0,9}|é😀){7}",
    "[^b]{0,30}(b|aé)?c",
    "(abc|ab?é|[^a]b*|a[^b][^é]*)",
    "(é|éa|[^é][^b]*)b",
)


@pytest.mark.usefixtures("worth_it")
@pytest.mark.parametrize("pattern", COUNTED)
@pytest.mark.parametrize("seed", range(2))
def test_counts_and_loops_with_small_odd_vocabularies(pattern, seed):
    """States far from the ends of counts share masks, and those beside a loop are made from its mask."""
    rng = random.Random(f"{pattern} {seed}")
    vocabulary = odd_vocabulary(rng)
    short = [token if len(token or b"") < 5 else rng.choice([b",", b"a,a"]) for token in vocabulary.token_bytes]
    vocabulary = Vocabulary([*short, *KINDS["bytes" if seed % 2 else "letters"]], eos_id=vocabulary.eos_id)
    guide, plain = both(vocabulary, pattern)
    for _ in range(3):
        one, other = guide.initial, plain.initial
        for _ in range(45):
            for budget in (None, 60, 25, 9):
                allowed = guide.mask(one, budget)
                assert np.array_equal(allowed, plain.mask(other, budget)), (one, budget)
            allowed = guide.mask(one)
            ids = ids_of(allowed)
            ids = [token_id for token_id in ids if token_id != vocabulary.eos_id]
            if not ids:
                break
            token_id = rng.choice(ids)
            one, other = guide.advance(one, token_id), plain.advance(other, token_id)


# The real vocabulary ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tekken():
    return Vocabulary.tekken()


REAL = [r"\d+", "(ab)*", '"[^"]*"', "é|€", r"\w+", "0x[0-9a-f]+", ".{0,3}", "(- [^\n]{1,20}\n){1,3}", "[^x]{3}\n"]


@pytest.mark.parametrize("pattern", [*REAL, r"\w+@\w+", "(世界|é|🦜)*x", "[a-zé]+ü", "red|green|blue", "[a-z ]*é"])
def test_walks_with_the_real_vocabulary(pattern, tekken):
    """Random walks, halves of characters as often as whole ones; each mask is that of the whole table."""
    guide, automaton = compile_guide(tekken, regex=pattern), byte_dfa(compile_dfa(pattern))
    for seed in range(2):
        rng, one, other = random.Random(seed), guide.initial, automaton.initial
        for _ in range(12):
            mask = guide.mask(one)
            ids = ids_of(mask)
            lifted = lift(mask_engine.index_of(tekken).trie, automaton, [other])
            alive = np.flatnonzero(lifted.alive_from(other)[lifted.groups]).tolist()
            assert ids == sorted(alive + [tekken.eos_id] * automaton.is_accepting(other)), (pattern, one)
            halves = [i for i in ids if tekken.token_bytes[i][-1:] >= b"\xc0"]
            if not ids or (token_id := rng.choice(halves if halves and rng.random() < 0.4 else ids)) == tekken.eos_id:
                break
            one, other = guide.advance(one, token_id), lifted.target(other, token_id)


# What it keeps, and what it costs ---------------------------------------------------------------------


def test_what_cannot_be_made_in_full_can_be_walked(monkeypatch):
    """It has two million states. Masks ask for few of them, within a budget too; only ``prepare`` asks for all."""
    vocabulary = Vocabulary([b"a", b"b", b"ab", b"</s>"], eos_id=3)
    guide = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
    state = guide.initial
    for token_id in [1, 2, 0, 2]:
        assert guide.mask(state).tolist() == guide.mask(state, 30).tolist() == [7]
        state = guide.advance(state, token_id)
    # b, ab, a, ab: four letters come after the first a, so 16 are missing, and ab is two.
    assert (guide.tokens_to_accept(guide.initial), guide.tokens_to_accept(state)) == (11, 8)
    assert guide.mask(state, 5).tolist() == [0] and len(guide._fsm.fsm._states) < 500
    monkeypatch.setattr(fsm, "MAX_DFA_STATES", fsm.MAX_DFA_STATES // 20)
    with pytest.raises(LimitExceeded):
        guide.prepare()


def test_masks_are_kept_up_to_a_bound(monkeypatch):
    """Beyond it they are made again, in a batch with more states than are kept too; masks handed out stay."""
    monkeypatch.setattr(fsm, "MORE", 4)
    monkeypatch.setattr(fsm, "MOST_BYTES", 30)
    vocabulary = Vocabulary([b"a" * n for n in range(1, 20)] + [b"b", b"</s>"], eos_id=20)
    guide = compile_guide(vocabulary, regex="a{19}b")
    states = [guide.initial]
    while len(states) < 20:
        states.append(guide.advance(states[-1], 0))
    expected = [[(1 << 19 - n) - 1 if n < 19 else 1 << 19] for n in range(20)]
    masks = [guide.mask(state) for state in states]
    assert [mask.tolist() for mask in masks] == expected and len(guide._fsm.fsm._masks) < 20
    out = np.full((40, 1), -1, np.int32)
    for _ in range(2):
        guide.fill(states + states[::-1], out)
        assert out.tolist() == expected + expected[::-1]
    assert [mask.tolist() for mask in masks] == expected


def test_prepared_masks_are_the_lazy_ones():
    vocabulary = Vocabulary([b"a", b"\xc3", b"\xa9", "é".encode(), b"</s>"], eos_id=4)
    ready, lazy = (compile_guide(vocabulary, regex="(aé){2}") for _ in range(2))
    told = []
    ready.prepare(lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == len(told) > 4
    one, other = ready.initial, lazy.initial
    for token_id in (0, 1, 2, 0, 3):
        assert ready.mask(one).tolist() == lazy.mask(other).tolist()
        one, other = ready.advance(one, token_id), lazy.advance(other, token_id)
