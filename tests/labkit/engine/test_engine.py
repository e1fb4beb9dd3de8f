"""The engine: a batch gives what each request gets alone, and a request that ends leaves nothing behind."""

import pytest

from labkit.engine import ScriptedModel
from labkit.errors import QueueFull, TooMuchWork
from tests.labkit.engine import OneOf, engine, is_empty, params, prompt, run

PROMPTS = ["teal as a hex colour", "Write 5 March 2024 as YYYY-MM-DD.", "Tell me a sentence.", "x", "Hi! " * 30]
SETTINGS = [{"temperature": 0}, {}, {"top_k": 3}, {"top_p": 0.5, "repetition_penalty": 1.3}, {"min_p": 0.2}]


def mixed():
    """Fifteen requests, no two alike: their prompts, settings and seeds."""
    return [
        (prompt(text), params(seed=19 * i + j, **SETTINGS[(i + j) % 5]))
        for i, text in enumerate(PROMPTS)
        for j in range(3)
    ]


def answers(requests, **options):
    """The tokens of requests that all arrive at once."""
    served = engine(**options)
    asked = [served.add_request(ids, how) for ids, how in requests]
    run(served)
    assert is_empty(served)
    return [request.output_token_ids for request in asked]


ALONE = [answers([request])[0] for request in mixed()]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_num_seqs": 4},
        {"max_num_seqs": 4, "max_num_batched_tokens": 7},
        {"max_num_batched_tokens": 1024, "chunked_prefill": False},
    ],
    ids=["at once", "four slots", "prompts in pieces", "prompts whole"],
)
def test_a_batch_gives_each_request_the_tokens_it_gets_alone(options):
    assert len({tuple(ids) for ids in ALONE}) > 8
    assert answers(mixed(), **options) == ALONE


def test_batch_invariant_logits_are_equal_bit_for_bit():
    """Logprobs at each step, in a batch and alone."""

    def logprobs(requests, slots):
        served = engine(max_num_seqs=slots, batch_invariant=True)
        names = [served.add_request(ids, params(seed=how.seed, logprobs=5)).request_id for ids, how in requests]
        outputs = run(served)
        return [[output.logprob for output in outputs[name]] for name in names]

    some = mixed()[::4]
    assert logprobs(some, 8) == [logprobs([request], 1)[0] for request in some]


# How a request ends -----------------------------------------------------------------------------------


def test_an_abort_frees_the_slot_the_cache_and_the_place_in_the_queue():
    constraint = OneOf()
    served = engine(constraint, max_num_seqs=2)
    for name in "abcd":
        served.add_request(prompt(), params(), response_format=[5, 6, 7], request_id=name)
    constraint.compiling.add("d")
    served.step()
    assert served.abort("a") and served.abort("c") and served.abort("d") and not served.abort("a")
    outputs = run(served)
    assert set(outputs) == {"b"} and is_empty(served)
    assert [constraint.of(name)[-1] for name in "abcd"] == ["release"] * 4
    assert [constraint.of(name).count("release") for name in "abcd"] == [1] * 4


# Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "options", "said"),
    [
        ([], {}, "the prompt is empty"),
        ([1, 1024], {}, "token id 1024 lies outside"),
        ([1, -1], {}, "token id -1 lies outside"),
        ([1] * 1000, {"max_tokens": 25}, "1025 tokens; the model's context is 1024"),
    ],
)
def test_what_is_refused_leaves_nothing(ids, options, said):
    served = engine()
    with pytest.raises(ValueError, match=said):
        served.add_request(ids, params(**options))
    assert is_empty(served)


def test_a_format_needs_structured_outputs_and_an_id_is_used_once():
    constraint = OneOf()
    served = engine(constraint)
    with pytest.raises(ValueError, match="a bad format"):
        served.add_request(prompt(), params(), response_format="bad", request_id="a")
    assert is_empty(served) and constraint.calls == [("add", "a")]
    served = engine()
    with pytest.raises(ValueError, match="response_format must be None"):
        served.add_request([1], response_format=[5])
    served.add_request([1] * 1000, params(max_tokens=24), request_id="a")  # the context may be full
    with pytest.raises(ValueError, match="'a' already"):
        served.add_request([1], request_id="a")


def test_a_full_queue_refuses_before_a_compile_starts():
    constraint = OneOf()
    served = engine(constraint, max_num_waiting=2)
    for _ in range(2):
        served.add_request(prompt(), params())
    with pytest.raises(QueueFull, match="2 requests wait already"):
        served.add_request(prompt(), params(), response_format=[5])
    assert not constraint.calls
    served.step()
    served.add_request(prompt(), params(), response_format=[5])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_num_seqs": 0}, "at least 1"),
        ({"max_num_seqs": 8, "max_num_batched_tokens": 7}, "at least as large"),
        ({"chunked_prefill": False}, "must hold the longest prompt"),
        ({"model": ScriptedModel(len, 5)}, "the model has 5 tokens, the vocabulary 1024"),
    ],
)
def test_engines_that_cannot_work(options, said):
    with pytest.raises(ValueError, match=said):
        engine(**options)


# The seam ---------------------------------------------------------------------------------------------


def test_the_hooks_in_their_order():
    constraint = OneOf()
    served = engine(constraint)
    asked = served.add_request(prompt(), params(), response_format=[5, 6], request_id="a")
    served.add_request(prompt("x"), params(max_tokens=1), request_id="b")
    run(served)
    served.add_request(prompt("x"), params(max_tokens=2), request_id="where nobody asks for a format")
    run(served)
    x, y, z = asked.output_token_ids
    assert asked.finish_reason == "stop" and {x, y, z} <= {5, 6}
    assert constraint.calls == [
        ("add", "a"),
        ("ready", "a"),
        ("mask", ["a", "b"]),
        ("advance", "a", x),
        ("mask", ["a"]),
        ("advance", "a", y),
        ("mask", ["a"]),
        ("advance", "a", z),
        ("release", "a"),
    ]


def test_a_request_whose_grammar_compiles_delays_nobody():
    """The others take the steps that they take without it, and it starts in the step after it is ready."""
    constraint = OneOf()
    constraint.compiling.add("slow")
    served = engine(constraint, max_num_seqs=3)
    served.add_request(prompt(), params(), response_format=[5, 6], request_id="slow")
    others = [served.add_request(ids, how) for ids, how in mixed()[:3]]
    steps = 0
    while any(request.finish_reason is None for request in others):
        steps += 1
        assert {output.request_id for output in served.step()} == {r.request_id for r in served.scheduled}
    assert steps == max(map(len, ALONE[:3]))
    assert [request.output_token_ids for request in others] == ALONE[:3]
    assert served.step() == [] and served.num_steps == steps
    constraint.compiling.clear()
    assert [output.request_id for output in served.step()] == ["slow"]


@pytest.mark.parametrize("hook", ["late", "stumbles", "raises", ()], ids=["ready", "advance", "mask", "no token left"])
def test_a_hook_that_fails_ends_its_request_alone(hook):
    constraint = OneOf()
    served = engine(constraint)
    free = [served.add_request(ids, how) for ids, how in mixed()[:3]]
    served.add_request(prompt(), params(), response_format=hook, request_id="bad")
    (last,) = run(served)["bad"]
    assert (last.finish_reason, last.token_id) == ("error", None) and isinstance(last.error, Exception)
    assert [request.output_token_ids for request in free] == ALONE[:3]
    assert is_empty(served) and constraint.of("bad").count("release") == 1


# A constraint that takes more than one call -----------------------------------------------------------


def slow(hook, tries):
    """A constraint of which one hook needs so many calls for each answer, or for each of some of its tokens."""
    constraint, looked = OneOf(), {}
    quick = getattr(constraint, hook)

    def look(asked, *others):
        for request in asked if hook == "mask" else [asked]:
            if request.response_format is not None:
                key = request.request_id, len(request.output_token_ids)
                looked[key] = looked.get(key, 0) + 1
                if looked[key] <= tries:
                    raise TooMuchWork("a step", 9)
        return quick(asked, *others)

    setattr(constraint, hook, look)
    return constraint, looked


def served_by(constraint, **options):
    """The answers of four requests, of which one has no format, and the engine."""
    served = engine(constraint, **options)
    formats = [[7, 9, 11], [20, 21], None, [7, 8]]
    asked = [served.add_request(prompt(), params(seed=n, logprobs=2), response_format=f) for n, f in enumerate(formats)]
    return asked, run(served), served


@pytest.mark.parametrize("hook", ["ready", "mask"])
@pytest.mark.parametrize("options", [{}, {"max_num_seqs": 2, "max_num_batched_tokens": 5}], ids=str)
def test_what_takes_more_than_one_call_goes_on_in_the_next_step(hook, options):
    """Everybody gets the same tokens with the same logprobs, and who asks for no format gets them at the same time."""
    quick, told, fast = served_by(OneOf(), **options)
    asked, outputs, put_off = served_by(slow(hook, 3)[0], **options)
    assert [request.output_token_ids for request in asked] == [request.output_token_ids for request in quick]
    assert {request.finish_reason for request in asked} == {"stop"}
    for name in outputs:
        for one, other in zip(outputs[name], told[name], strict=True):
            assert one.token_id == other.token_id
            assert one.logprob.logprob == pytest.approx(other.logprob.logprob, abs=1e-4)
    assert is_empty(put_off) and put_off.num_steps >= fast.num_steps


@pytest.mark.parametrize(("hook", "reason"), [("ready", "error"), ("mask", "error"), ("finished", "length")])
def test_who_never_finds_out_fails_alone(hook, reason):
    """Where nobody knows whether an answer is finished the model goes on, and the mask says what may come."""
    asked, _, served = served_by(slow(hook, 10**9)[0])
    assert [request.finish_reason for request in asked] == [reason, reason, "stop", reason]
    failed = [request for request in asked if request.response_format and reason == "error"]
    assert all(isinstance(request.error, TooMuchWork) for request in failed) and is_empty(served)
