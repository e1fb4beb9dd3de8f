"""Tests of drafts: tokens that are proposed before a pass, and kept only if the model would have chosen them."""

from types import SimpleNamespace

import numpy as np
import pytest

from labkit.engine import Draft, Engine, SamplingParams, ScriptedModel
from tests.labkit.engine import OneOf, engine, run
from tests.labkit.engine.test_jump import AB, ABC, BC, EOS, LETTERS, A, B, C, Jumps, is_empty_of_letters

SIZE = len(LETTERS)


class Proposes:
    """Proposes what ``tail`` gives for the answer so far, and keeps it as far as it is the likeliest token."""

    length = 4

    def __init__(self, tail, allowed=lambda token: True):
        self.tail, self.allowed, self.asked = tail, allowed, []

    def propose(self, request):
        self.asked.append(request.request_id)
        if (tail := self.tail(request)) is None:
            return None
        ends = [place for place, token in enumerate(tail) if token == EOS or not self.allowed(token)]
        mask = np.array([self.allowed(token) for token in range(SIZE)])
        return Draft(tail, np.eye(SIZE)[list(tail)], np.tile(mask, (1 + min([*ends, len(tail)]), 1)))

    def verify(self, p_rows, q_rows, draft, draw):
        best = [int(row.argmax()) for row in p_rows]
        kept = next((n for n, (a, b) in enumerate(zip(best, draft, strict=False)) if a != b), len(draft))
        return best[: kept + 1]


def written(ids):
    """The likeliest token after so many: the model writes abcabc… whatever is asked."""
    return np.float32(
        [9 if token == len(ids) % 3 else 8 if token == (len(ids) + 1) % 3 else 0 for token in range(SIZE)]
    )


def letters(tail, model=written, hooks=None, asked=None, prompt=(C, B, A), **options):
    """Return the request, its outputs, and the engine."""
    drafts = Proposes(tail) if callable(tail) else tail
    runs = Engine(ScriptedModel(model, SIZE), LETTERS, hooks, drafts=drafts)
    request = runs.add_request(prompt, SamplingParams(**{"max_tokens": 8, "temperature": 0} | options), **asked or {})
    outputs = run(runs)["request-0"]
    assert is_empty_of_letters(runs)
    return request, outputs, runs


def following(*tail):
    """A draft of these after each token, as if the answer were at its first place."""
    return lambda request: list(tail)[: request.remaining - 1]


def right(request):
    """A draft of what the model will write."""
    place = len(request.token_ids)
    return [(place + n) % 3 for n in range(min(4, request.remaining - 1))]


WRONG = {
    "right": right,
    "empty": following(),
    "none": lambda request: None,
    "wrong at once": following(ABC, A, B),
    "wrong at the second": lambda request: [*right(request)[:1], ABC, A, A][: request.remaining - 1],
    "longer than there is room": lambda request: right(request) + [A] * 4,
}


@pytest.mark.parametrize("tail", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_tokens": 1},
        {"max_tokens": 2},
        {"stop": ("ca",)},
        {"stop": ("b",)},
        {"stop": ("cab",), "max_tokens": 5},
        {"stop_token_ids": (B,)},
        {"logprobs": 2},
        {"repetition_penalty": 1.2},
        {"frequency_penalty": 2, "presence_penalty": 1},
        {"logit_bias": {A: -20.0}},
        {"temperature": 1e-6, "seed": 0},
        {"temperature": 1, "top_k": 1, "seed": 0},
    ],
    ids=str,
)
def test_the_answer_is_that_without_drafts(tail, options):
    """Tokens, texts, logprobs, how it ends: nothing but the passes may differ, whatever is drafted."""
    plain, wanted, slow = letters(lambda request: None, **options)
    request, outputs, runs = letters(tail, **options)
    assert request.output_token_ids == plain.output_token_ids
    assert (request.finish_reason, request.stop_reason) == (plain.finish_reason, plain.stop_reason)
    for one, other in zip(outputs, wanted, strict=True):
        assert (one.token_id, one.text, one.logprob) == (other.token_id, other.text, other.logprob)
    assert runs.num_steps <= slow.num_steps
    assert runs.num_accepted == sum(output.accepted for output in outputs)
    assert runs.num_drafted == sum(output.drafted for output in outputs)


def test_a_draft_that_is_right_saves_passes_and_is_counted():
    """The prompt's pass gives a token, the next one five, and the last one the other three."""
    request, outputs, runs = letters(right, max_tokens=9)
    assert request.output_token_ids == [0, 1, 2] * 3
    assert (runs.num_steps, runs.num_turns, runs.num_drafted, runs.num_accepted) == (3, 3, 6, 6)
    assert [output.accepted for output in outputs] == [False, *[True] * 4, False, *[True] * 2, False]
    assert [output.drafted for output in outputs] == [0, 4, 0, 0, 0, 0, 2, 0, 0]


@pytest.mark.parametrize(("tail", "drafted"), [((B, C), 1), ((C, B, C), 2)])
def test_an_illegal_token_is_not_read_and_not_kept(tail, drafted):
    """The model likes B best and is not allowed it; C comes second."""
    read = []

    def model(ids):
        read.append(ids[3:])
        return np.float32([0, 9 - 9 * (len(ids) == 3), 8, 0, 0, 0, 0])

    drafts = Proposes(lambda request: tail if len(request.output_token_ids) == 1 else None, lambda token: token != B)
    request, _, runs = letters(drafts, model, max_tokens=3)
    assert request.output_token_ids[:2] == [C, C] and runs.num_drafted == drafted
    assert [C, B] not in read and [C, C, B] not in read


def test_a_place_where_nothing_may_come_counts_only_if_the_answer_gets_there():
    def model(best):
        """After A and A, no token has a logit."""
        nothing, row = np.full(SIZE, -np.inf, np.float32), np.where(np.arange(SIZE) == best, 9, 0).astype(np.float32)
        return lambda ids: nothing if ids[-2:] == [A, A] else row

    request, _, _ = letters(following(A, A, A), model(B), max_tokens=5)
    assert request.output_token_ids == [B] * 5
    request, outputs, _ = letters(following(A, A, A), model(A), prompt=[C], max_tokens=5)
    assert [output.token_id for output in outputs] == [A, A, None] and request.finish_reason == "error"


def test_a_jump_within_a_draft_makes_the_engine_forget_the_rest():
    """After A comes a tail; the drafted B after it was read for nothing, and is read again only as part of the tail."""
    forced = {(A, B): (AB, C), (AB, C, A): (A, BC)}

    def answer(tail):
        hooks = Jumps()
        return letters(tail, hooks=hooks, asked={"response_format": forced})[0], hooks.calls

    plain, calls = answer(lambda request: None)
    drafted, also = answer(
        lambda request: [(len(request.token_ids) + n) % 3 for n in range(4)][: request.remaining - 1]
    )
    assert drafted.output_token_ids == plain.output_token_ids and also == calls


@pytest.mark.parametrize("where", ["propose", "verify", "advance"])
def test_what_goes_wrong_ends_its_request_alone(where):
    """The one with a format, whose drafts allow nothing but A, B and C; it has got its first token by then."""

    class Stumbles(Proposes):
        def propose(self, request):
            if where == "propose" and request.response_format:
                raise ZeroDivisionError
            return super().propose(request)

        def verify(self, p_rows, q_rows, draft, draw):
            if where == "verify" and draw() == 0.5:
                raise ZeroDivisionError
            return super().verify(p_rows, q_rows, draft, draw)

    class Hooks(OneOf):
        def advance(self, request, token_id):
            if where == "advance" and token_id == C:
                raise ZeroDivisionError

    runs = Engine(ScriptedModel(written, SIZE), LETTERS, Hooks(), drafts=Stumbles(right))
    asked = SamplingParams(max_tokens=8, temperature=0)
    bad = runs.add_request([A, B, C], asked, response_format=(A, B, C))
    bad.generator = SimpleNamespace(random=lambda: 0.5)
    good = runs.add_request([A, B, C], asked)
    outputs = run(runs)
    assert bad.finish_reason == "error" and isinstance(bad.error, ZeroDivisionError)
    assert [output.token_id for output in outputs["request-0"]] == [A, *[B] * (where == "advance"), None]
    assert good.output_token_ids == [0, 1, 2, 0, 1, 2, 0, 1] and is_empty_of_letters(runs)


def test_a_step_must_have_room_for_all_drafts():
    with pytest.raises(ValueError, match="32 requests with drafts of 4 tokens read up to 160 in a step"):
        engine(drafts=Proposes(right), max_num_batched_tokens=159)
    engine(drafts=Proposes(right), max_num_batched_tokens=160)


def test_text_samplers_have_no_drafts():
    def sampler(request):
        def texts():
            yield ()
            return [A, EOS]

        return texts()

    drafts = Proposes(right)
    runs = Engine(ScriptedModel(written, SIZE), LETTERS, OneOf(), drafts=drafts, text_sampler=sampler)
    request = runs.add_request([A], SamplingParams(sampler="smc"), response_format=(A, B))
    run(runs)
    assert request.output_token_ids == [A, EOS] and drafts.asked == []
