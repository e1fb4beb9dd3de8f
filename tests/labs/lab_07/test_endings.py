"""For masks within a budget no automaton is made in full. That they are exact is in ``test_masks.py``."""

import contextlib
import random
from math import inf

import numpy as np
import pytest

from labkit.automata.work import at_most
from labkit.errors import TooMuchWork
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from mask_engine import FINISHED, compile_guide, guide_of
from tests.labs.lab_07.plain import Plain
from tests.labs.lab_07.test_masks import KINDS, SINGLES, odd_vocabulary, walk


@pytest.mark.parametrize("kind", KINDS)
def test_budgets_through_an_automaton(kind):
    """The other kind of states that a guide is made of, also where the initial one isn't 0."""
    rng = random.Random(kind)
    for dfa in (compile_dfa("(ab|é){2,3}b?"), compile_dfa("a{5}|b€"), literals(["ab", "abé", "€€a", "b"])):
        vocabulary = odd_vocabulary(rng, kind)
        walk(guide_of(vocabulary, dfa), Plain(dfa, vocabulary), vocabulary)


# What it costs ----------------------------------------------------------------------------------------

HEAVY = {r"\w{1,5000}\s\W{1,5000}": 3, "(((a{1,1000}){1,1000}){1,1000}){1,1000}": 1, "(a|b)*a(a|b){90}": 91}


@pytest.mark.parametrize(("pattern", "fewest"), HEAVY.items())
def test_a_budget_asks_for_few_states(pattern, fewest):
    """In full these have up to 2 ** 90 states."""
    small = Vocabulary.small()
    plain, guide = compile_guide(small, regex=pattern), compile_guide(small, regex=pattern)
    plain.mask(plain.initial)
    assert np.array_equal(guide.mask(guide.initial, 200), plain.mask(plain.initial))
    assert len(guide._fsm.fsm._states) == len(plain._fsm.fsm._states) < 1000
    assert guide.tokens_to_accept(guide.initial) <= fewest
    assert len(guide._fsm.fsm._states) < 50_000


@pytest.mark.parametrize("work", [80, 120, 400, 2000])
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


@pytest.mark.parametrize("remaining", range(9, 13))
def test_a_question_that_takes_long_costs_no_other_token(remaining):
    """In a key, 30 states are asked about. That some are too far from the end shows only once all has been searched."""
    items = [{"const": "f"}, {"type": "object"}, {"const": "end of the call"}]
    schema = {"type": "array", "prefixItems": items, "minItems": 3, "maxItems": 3}

    def mask(work):
        guide = compile_guide(Vocabulary.small(), json_schema=schema, closed=False)
        state = guide.initial
        for token_id in Tokenizer.load().encode('["f", {"name": "Lena Lund", "'):
            state = guide.advance(state, token_id)
        for _ in range(25):  # as often as the engine asks again
            with at_most(work), contextlib.suppress(TooMuchWork):
                return guide.mask(state, remaining).tolist()

    assert mask(18_000) == mask(None)  # the server's limit, and none


# Where some bytes are no tokens -----------------------------------------------------------------------

LIST = {"type": "array", "items": {"$ref": "#"}}
NODE = {"type": "object", "properties": {"a": {"$ref": "#"}, "é": LIST["items"]}, "required": ["a"]}
VALUE = {"anyOf": [{"type": "integer"}, NODE, LIST]}


def tokens_of(guide, state):
    return np.unpackbits(guide.mask(state).view(np.uint8), bitorder="little").nonzero()[0].tolist()


def fewest(guide, state, most, known):
    """Return the fewest tokens to EOS, itself included, if they are no more than so many; by trying each."""
    if state == FINISHED or not most:
        return 0 if state == FINISHED else 99
    if known.get(state, (0,))[0] < most:
        after = [fewest(guide, guide.advance(state, each), most - 1, known) for each in tokens_of(guide, state)]
        known[state] = most, 1 + min(after, default=99)
    return known[state][1]


@pytest.mark.parametrize("missing", [b"", b"{", b"}", b"]", b'"', b"1", b"\xc3", b"\xa9", b"}]1"])
@pytest.mark.parametrize("schema", [VALUE, LIST])
def test_a_recursive_schema_in_a_vocabulary_without_some_bytes(schema, missing):
    """A text can't be finished with a byte that no token has, and may be with one that only longer tokens have."""
    for longer in ([], [b"[]", b'{"a":', b"1}", b"}]", b"1]}", b'"a', "é".encode(), 'é"'.encode()]):
        texts = [bytes([byte]) for byte in '{}[]":,1aé'.encode() if byte not in missing] + longer
        guide = compile_guide(
            Vocabulary([*texts, b"</s>"], eos_id=len(texts)), json_schema=schema, whitespace="compact"
        )
        rng, known = random.Random(1), {}
        for _ in range(3):
            state = guide.initial
            for _ in range(5):
                for remaining in range(1, 7):
                    allowed = [
                        t
                        for t in tokens_of(guide, state)
                        if fewest(guide, guide.advance(state, t), 6, known) < remaining
                    ]
                    with at_most(60_000):
                        mask = guide.mask(state, remaining)
                    assert np.unpackbits(mask.view(np.uint8), bitorder="little").nonzero()[0].tolist() == allowed
                if state == FINISHED or not (ids := tokens_of(guide, state)):
                    break
                state = guide.advance(state, rng.choice(ids))


@pytest.mark.parametrize(("missing", "ends"), [(b"}", 0), (b"]", 0), (b'"', 1), (b"1", 0), (b"\xc3", 1)])
def test_a_byte_that_no_token_has_is_soon_known_to_be_missed(missing, ends):
    """In the small model's vocabulary, with a schema of endless depth, at any budget."""
    small = [token for token in Vocabulary.small().token_bytes if not {*token} & {*missing}]
    items = [{"const": [1]}, {"type": "object"}, {}]
    schema = {"type": "array", "prefixItems": items, "minItems": 3}
    guide = compile_guide(Vocabulary([*small, b"</s>"], eos_id=len(small)), json_schema=schema, closed=False)
    with at_most(10_000):
        assert (guide.tokens_to_accept(guide.initial) < inf) == ends
    for remaining in (30, 500, 5000):
        with at_most(10_000):
            assert guide.mask(guide.initial, remaining).any() == ends
