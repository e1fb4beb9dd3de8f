"""Masks within a budget are those of a search through all texts, and no automaton is made in full for them."""

import contextlib
import random

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.errors import TooMuchWork
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide, guide_of
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.on_demand import endings
from tests.labs.lab_06.test_agreement import random_pattern
from tests.labs.lab_07.plain import Plain

PIECES = sorted(
    {text.encode()[i:j] for text in ("abaé€", "é😀b a", "€ba") for i in range(9) for j in range(i + 1, 10)} - {b""}
)
SINGLES = [bytes([byte]) for byte in range(256)]


def vocabulary_of(rng, kind):
    """Return pieces of characters, twins and nothing, with EOS anywhere: alone, with all bytes, or with some."""
    tokens = [rng.choice([*PIECES, b""]) for _ in range(rng.randrange(1, 40))]
    tokens += {"pieces": [], "bytes": SINGLES, "letters": [b"a", b"b", b" ", b"c"]}[kind]
    rng.shuffle(tokens)
    eos_id = rng.randrange(len(tokens) + 1)
    tokens.insert(eos_id, rng.choice([b"</s>", b"a"]))
    return Vocabulary(tokens, eos_id=eos_id, special_ids=[i for i in range(len(tokens)) if rng.random() < 0.05])


def check(guide, plain, most_states=30, budgets=(1, 2, 3, 4, 5, 7, 10, 40)):
    """Compare all that a budget can change, in the states to which tokens lead."""
    seen, waiting = {guide.initial}, [(guide.initial, plain.initial)]
    for one, other in waiting:  # which grows
        for budget in budgets:
            mine, oracle = guide.mask(one, budget), plain.mask(other, budget)
            assert not mine.flags.writeable and np.array_equal(mine, oracle), (one, budget)
        assert guide.tokens_to_accept(one) == plain.tokens_to_accept(other)
        for token_id in sorted(plain.after(other)):
            after = guide.advance(one, token_id)
            if after not in seen and len(seen) < most_states:
                seen.add(after)
                waiting.append((after, plain.advance(other, token_id)))


def well_formed(rng):
    """Return a random pattern of which something is left."""
    while True:
        pattern = random_pattern(rng, 4)
        with contextlib.suppress(ValueError):
            compile_dfa(pattern)
            return pattern


@pytest.mark.parametrize("kind", ["pieces", "bytes", "letters"])
@pytest.mark.parametrize("seed", range(40))
def test_budgets_of_random_patterns(seed, kind):
    rng = random.Random(f"{seed} {kind}")
    pattern, vocabulary = well_formed(rng), vocabulary_of(rng, kind)
    check(compile_guide(vocabulary, regex=pattern), Plain(compile_dfa(pattern), vocabulary))


COUNTED = [
    "(ab|é){2,5}b?",
    "a{8}b",
    "[ab]{3}|€{2}( a){1,3}",
    "a(b{6}|é)",
    "[^a]{2,4}a",
    "(a{2,3}b?){1,2}",
    "😀?aq|b",
    "a[\ud800-\udfff]|bb",
]


@pytest.mark.parametrize("kind", ["pieces", "bytes", "letters"])
@pytest.mark.parametrize("pattern", COUNTED)
def test_budgets_where_rounds_are_counted(pattern, kind):
    rng = random.Random(f"{pattern!a} {kind}")
    for _ in range(4):
        vocabulary = vocabulary_of(rng, kind)
        check(compile_guide(vocabulary, regex=pattern), Plain(compile_dfa(pattern), vocabulary))


@pytest.mark.parametrize("kind", ["pieces", "bytes", "letters"])
def test_budgets_through_an_automaton_and_through_words(kind):
    """The two other kinds of states that a guide is made of."""
    rng = random.Random(kind)
    for pattern, words in (("(ab|é){2,3}b?", ["ab", "abé", "€€a", "b"]), ("a{5}|b€", ["a" * 9, "é", "ab a"])):
        vocabulary = vocabulary_of(rng, kind)
        check(guide_of(vocabulary, compile_dfa(pattern)), Plain(compile_dfa(pattern), vocabulary))
        check(compile_guide(vocabulary, regex="|".join(words)), Plain(literals(words), vocabulary))


def test_a_batch_within_budgets_is_its_masks():
    """Some near the end and some not, some without a budget."""
    vocabulary = Vocabulary([*SINGLES, b"ab", b"</s>"], eos_id=257)
    guide = compile_guide(vocabulary, regex="(ab){4}c?")
    states = [guide.initial]
    for token_id in (256, 256, ord("a")):
        states.append(guide.advance(states[-1], token_id))
    for budgets in ([99, None, 50, 40], [2, 9, None, 3], [1, 1, 1, 1]):
        out = np.full((4, 9), -1, np.int32)
        guide.fill(states, out, budgets)
        assert out.tolist() == [
            guide.mask(state, budget).tolist() for state, budget in zip(states, budgets, strict=True)
        ]
    with pytest.raises(ValueError, match="argument"):
        guide.fill(states, out, [99, 99])


# What it costs ----------------------------------------------------------------------------------------

HEAVY = {r"\w{1,5000}\s\W{1,5000}": 3, "(((a{1,1000}){1,1000}){1,1000}){1,1000}": 1, "(a|b)*a(a|b){90}": 91}


@pytest.mark.parametrize(("pattern", "fewest"), HEAVY.items())
def test_a_budget_asks_for_few_states(pattern, fewest):
    """In full these have up to 2 ** 90 states."""
    small = Vocabulary.small()
    plain, guide = compile_guide(small, regex=pattern), compile_guide(small, regex=pattern)
    plain.mask(plain.initial)
    assert np.array_equal(guide.mask(guide.initial, 200), plain.mask(plain.initial))
    assert len(guide._fsm._states) == len(plain._fsm._states) < 1000
    assert guide.tokens_to_accept(guide.initial) <= fewest
    assert len(guide._fsm._states) < 50_000


def test_far_from_the_end_a_budget_makes_nothing():
    """Neither a mask nor a state more than without one."""
    small = Vocabulary.small()
    guide = compile_guide(small, regex="#[0-9a-f]{6}")
    before = guide.mask(guide.initial)
    n_states = len(guide._fsm._states)
    assert np.shares_memory(guide.mask(guide.initial, 9), before)
    assert len(guide._fsm._states) == n_states and not guide._fsm.endings._after


@pytest.mark.parametrize("work", [40, 100, 400, 2000])
def test_a_search_that_is_too_much_work_counts_bytes(work):
    """It may refuse what fits, and never allows what does not."""
    tokens = [*SINGLES, *(b"ab" * n for n in range(1, 4)), b"</s>"]
    vocabulary = Vocabulary(tokens, eos_id=len(tokens) - 1)
    exact = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
    assert exact.tokens_to_accept(exact.initial) == 5
    for remaining in range(1, 30):
        guide = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
        assert guide._fsm.ample == 24  # which is known before a request begins
        with at_most(work):
            assert 5 <= guide.tokens_to_accept(guide.initial) <= 21
        guide = compile_guide(vocabulary, regex="(a|b)*a(a|b){20}")
        allowed = exact.mask(exact.initial, remaining)
        with at_most(work), contextlib.suppress(TooMuchWork):
            mask = guide.mask(guide.initial, remaining)
            assert not (mask & ~allowed).any()
            assert mask.any() or remaining <= 22


def test_a_mask_that_is_too_much_work_is_refused():
    """A call has a limit of its own: the next one may find what this one has made, and get further."""
    small = Vocabulary.small()
    guide = compile_guide(small, regex="(((a{1,1000}){1,1000}){1,1000}){1,1000}")
    state, done = guide.initial, 0
    with pytest.raises(TooMuchWork, match="too much work; the limit is 20,000"):
        while done < 200:
            with at_most(20_000):
                guide.mask(state, 100)
                state = guide.advance(state, small.token_bytes.index(b"a"))
            done += 1
    assert 3 < done < 200


def test_states_that_are_looked_at_together_are_found_alike(monkeypatch):
    """Blocks of any width."""
    rng = random.Random(0)
    for width in (1, 2, 3):
        monkeypatch.setattr(endings, "TOGETHER", width)
        vocabulary = vocabulary_of(rng, "letters")
        pattern = "[ab]{3,9}|(é|ab){2,5}"
        check(compile_guide(vocabulary, regex=pattern), Plain(compile_dfa(pattern), vocabulary))
