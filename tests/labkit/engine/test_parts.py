"""The engine's parts by themselves: scheduler, sampler, detokenizer, the ranges of SamplingParams."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.engine import Detokenizer, Request, RequestStatus, SamplingParams, Scheduler, sample_token

# Scheduler --------------------------------------------------------------------------------------------


def waiting(scheduler, *lengths):
    requests = [Request(str(place), (1,) * length, SamplingParams()) for place, length in enumerate(lengths)]
    for request in requests:
        scheduler.add(request)
    return requests


def steps(scheduler, requests, count, is_ready=lambda request: True):
    """What each of some steps schedules, where a prompt that was read gets a token for every step."""
    found = []
    for _ in range(count):
        scheduled = scheduler.schedule(is_ready)
        for request, number in scheduled.items():
            request.num_computed_tokens += number
            if not request.num_pending:
                request.output_token_ids.append(1)
        found.append([scheduled.get(request, 0) for request in requests])
    return found


def test_prompts_are_read_in_pieces_and_decoding_comes_first():
    scheduler = Scheduler(3, 4)
    assert steps(scheduler, waiting(scheduler, 2, 9, 3), 6) == [
        [2, 2, 0],
        [1, 3, 0],
        [1, 3, 0],
        [1, 1, 2],
        [1, 1, 1],
        [1, 1, 1],
    ]


def test_whole_prompts_wait_for_a_step_that_holds_them_and_are_not_overtaken():
    scheduler = Scheduler(3, 4, chunked_prefill=False)
    assert steps(scheduler, waiting(scheduler, 2, 3, 1), 3) == [[2, 0, 0], [1, 3, 0], [1, 1, 1]]


def test_a_request_that_is_not_ready_is_overtaken_and_keeps_its_place():
    scheduler = Scheduler(2, 8)
    requests = waiting(scheduler, 1, 1, 1)
    slow = requests[0]
    assert steps(scheduler, requests, 1, lambda request: request is not slow) == [[0, 1, 1]]
    assert slow.status is RequestStatus.WAITING
    scheduler.finish(requests[1])
    assert steps(scheduler, requests, 1) == [[1, 0, 1]]


@PROPERTY
@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, 4), st.integers(0, 9), st.booleans())
def test_a_step_keeps_its_limits_and_everybody_gets_on(lengths, slots, more, chunked):
    """Whoever gets less than it has pending gets as much as anybody that was running."""
    scheduler = Scheduler(slots, slots + more if chunked else 30 + slots, chunked)
    requests = waiting(scheduler, *lengths)
    for _ in range(200):
        if not scheduler.running and not scheduler.waiting:
            break
        running = [requests.index(request) for request in scheduler.running]
        pending = [request.num_pending for request in requests]
        (row,) = steps(scheduler, requests, 1)
        assert all(row[place] for place in running)
        assert 0 < sum(row) <= scheduler.max_num_batched_tokens and len(scheduler.running) <= slots
        shares = [(row[place], pending[place]) for place in running]
        assert all(share == had or share >= max(row[each] for each in running) - 1 for share, had in shares)
        for request in [r for r in scheduler.running if len(r.output_token_ids) == 3]:
            scheduler.finish(request)
    assert [len(request.output_token_ids) for request in requests] == [3] * len(lengths)


# Sampler ----------------------------------------------------------------------------------------------


def chances(logits, context=(), written=(), **options):
    """How often each token comes, in tenths of a percent, over an even grid in the place of random numbers."""

    class Grid:
        def __init__(self, value):
            self.random = lambda: value

    counts = np.zeros(len(logits), int)
    row = np.array(logits, np.float32)
    for place in range(1000):
        drawn = sample_token(row, context, SamplingParams(**options), Grid((place + 0.5) / 1000), written)
        counts[drawn] += 1
    return counts.tolist()


FIFTHS = np.log([0.4, 0.3, 0.2, 0.1])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [400, 300, 200, 100]),
        ({"temperature": 0.5}, [533, 300, 134, 33]),
        ({"temperature": 0}, [1000, 0, 0, 0]),
        ({"temperature": 1e-308}, [1000, 0, 0, 0]),
        ({"top_k": 2}, [571, 429, 0, 0]),
        ({"top_k": 9}, [400, 300, 200, 100]),
        ({"top_p": 0.69}, [571, 429, 0, 0]),
        ({"top_p": 0.71}, [444, 334, 222, 0]),
        ({"top_p": 1e-9}, [1000, 0, 0, 0]),
        ({"min_p": 0.45}, [444, 334, 222, 0]),
        ({"top_k": 2, "top_p": 0.5}, [1000, 0, 0, 0]),
        ({"temperature": 0.5, "top_p": 0.6}, [640, 360, 0, 0]),
        ({"temperature": 0.5, "min_p": 0.45}, [640, 360, 0, 0]),
    ],
)
def test_the_probabilities_that_each_setting_leaves(options, expected):
    assert chances(FIFTHS, **options) == pytest.approx(expected, abs=1)
    # A mask takes tokens away, and nothing else.
    masked = np.full(9, -np.inf)
    masked[1::2] = FIFTHS
    found = chances(masked, **options)
    assert found[1::2] == pytest.approx(expected, abs=1) and not any(found[::2])


def test_repetition_penalty_divides_positive_scores_and_multiplies_negative_ones_once():
    penalized = np.exp([2, -4, 1])
    expected = (1000 * penalized / penalized.sum()).tolist()
    assert chances([4, -2, 1], [0, 1, 1, 0], repetition_penalty=2) == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("seed", range(4))
def test_the_other_penalties_and_the_bias_are_openais(seed):
    """mu[j] - c[j] * frequency - (c[j] > 0) * presence, plus the bias; counted here one token after the other."""
    rng = np.random.default_rng(seed)
    mu, written = rng.normal(size=5).tolist(), rng.integers(0, 5, 12).tolist()
    frequency, presence = rng.uniform(-2, 2, 2).tolist()
    bias = {1: 3.5, 4: -100.0}
    expected = list(mu)
    for token in written:
        expected[token] -= frequency
    for token in {*written}:
        expected[token] -= presence
    for token, more in bias.items():
        expected[token] += more
    shares = np.exp(expected) / np.exp(expected).sum()
    options = {"frequency_penalty": frequency, "presence_penalty": presence, "logit_bias": bias}
    assert chances(mu, [0, 0], written, **options) == pytest.approx((1000 * shares).tolist(), abs=2)


def test_masked_tokens_never_come_and_a_row_of_them_alone_is_an_error():
    options = {"logit_bias": {0: 100, 1: -100}, "frequency_penalty": -2, "presence_penalty": -2}
    others = {"repetition_penalty": 1.5, "top_k": 3, "top_p": 0.99}
    assert chances([-np.inf, 0, -np.inf], [0, 1], [0, 0, 2], **options, **others) == [0, 1000, 0]
    with pytest.raises(ValueError, match="no token may come next"):
        chances([-np.inf, -np.inf])


def test_a_tie_at_the_edge_of_top_p_and_a_drawn_0():
    assert chances([0, 0], top_p=0.5) == [1000, 0]

    class Zero:
        random = staticmethod(lambda: 0.0)

    assert sample_token(np.array([-np.inf, 0], np.float32), [], SamplingParams(), Zero) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_tokens", 0),
        ("temperature", -0.1),
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("top_k", -1),
        ("top_p", 0),
        ("top_p", 1.1),
        ("min_p", -0.1),
        ("repetition_penalty", 0),
        ("frequency_penalty", 2.1),
        ("presence_penalty", float("nan")),
        ("logit_bias", {1: -101}),
        ("seed", -1),
        ("stop", ("",)),
        ("stop", "END"),
        ("logprobs", -1),
    ],
)
def test_numbers_outside_their_range(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        SamplingParams(**{name: value})


# Detokenizer ------------------------------------------------------------------------------------------


def sent(tokens, stop=()):
    text = Detokenizer(stop)
    pieces = []
    for token in tokens:
        pieces.append(text.add(token))
        if text.stopped_by is not None:
            return pieces, text.stopped_by
    return [*pieces, text.finish()], None


def expected_cut(text, stop):
    """Character by character: the first prefix that ends in a stop string, without the longest such string."""
    for end in range(1, len(text) + 1):
        if found := [each for each in stop if text[:end].endswith(each)]:
            longest = max(found, key=len)
            return text[: end - len(longest)], longest
    return text, None


@settings(PROPERTY, max_examples=500)
@given(
    st.lists(st.text("abé", min_size=1, max_size=4), max_size=3).map(tuple),
    st.text("abé", max_size=12),
    st.lists(st.integers(0, 30), max_size=8),
)
def test_any_cut_into_tokens_gives_the_text_up_to_the_stop_string(stop, text, cuts):
    raw = text.encode()
    places = sorted({0, len(raw), *(cut for cut in cuts if cut < len(raw))})
    pieces, stopped_by = sent([raw[a:b] for a, b in pairwise(places)], stop)
    assert ("".join(pieces), stopped_by) == expected_cut(text, stop)


@settings(PROPERTY, max_examples=500)
@given(st.text("ab", max_size=10), st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3))
def test_only_what_may_become_a_stop_string_is_held_back(text, stop):
    held = Detokenizer(stop)
    so_far = ""
    for place, character in enumerate(text, 1):
        so_far += held.add(character.encode())
        if held.stopped_by is not None:
            return
        kept = text[len(so_far) : place]
        assert text[:place] == so_far + kept
        assert not kept or any(each.startswith(kept) for each in stop)


def test_half_a_character_waits_and_becomes_a_replacement_at_the_end():
    assert sent([b"a\xe2", b"\x82", b"\xac"]) == (["a", "", "€", ""], None)
    assert sent([b"a\xe2", b"\x82"]) == (["a", "", "\ufffd"], None)
    text = Detokenizer(["END"])
    assert (text.add(b"aEND\xc3"), text.finish()) == ("a", "")
    assert sent([b"\xff!"]) == (["\ufffd!", ""], None)
