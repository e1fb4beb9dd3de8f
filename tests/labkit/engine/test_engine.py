"""The engine: a batch gives what each request gets alone, and a request that ends leaves nothing behind."""

import numpy as np
import pytest

from labkit.engine import Engine, ScriptedModel
from labkit.errors import QueueFull, TooMuchWork
from labkit.models import adversary
from labkit.vocabulary import Vocabulary
from tests.labkit.engine import EARLY, OneOf, engine, is_empty, params, prompt, run

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
    """The tokens of requests that all arrive at once, and those of each alone."""
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


def test_what_arrives_later_changes_nothing_for_those_that_run():
    served = engine(max_num_seqs=5)
    asked = []
    for ids, how in mixed():
        asked.append(served.add_request(ids, how))
        served.step()
    run(served)
    assert [request.output_token_ids for request in asked] == ALONE


def test_batch_invariant_logits_are_equal_bit_for_bit():
    """Logprobs at each step, in a batch and alone."""

    def logprobs(requests, slots):
        served = engine(max_num_seqs=slots, batch_invariant=True)
        names = [served.add_request(ids, params(seed=how.seed, logprobs=5)).request_id for ids, how in requests]
        outputs = run(served)
        return [[output.logprob for output in outputs[name]] for name in names]

    some = mixed()[::4]
    assert logprobs(some, 8) == [logprobs([request], 1)[0] for request in some]


def test_greedy_is_the_likeliest_token_of_the_whole_text_read_again():
    (written,) = answers([(prompt(), params(temperature=0))])
    for place, token_id in enumerate(written):
        assert EARLY.forward([[*prompt(), *written[:place]]], EARLY.new_cache())[0].argmax() == token_id


def test_a_seed_gives_the_same_answer_and_no_seed_another_one():
    served = engine()
    asked = [
        served.add_request(prompt(PROMPTS[2]), params(seed=seed, temperature=2.0)) for seed in (3, 3, 4, None, None)
    ]
    run(served)
    first, again, *others = [tuple(request.output_token_ids) for request in asked]
    assert first == again and len({first, *others}) == 4


def test_logprobs_are_the_models_own_before_mask_and_temperature():
    served = engine(OneOf())
    served.add_request(prompt(), params(logprobs=4, temperature=3), response_format=[7, 9], request_id="a")
    served.add_request(prompt(), params(), request_id="b")
    outputs, ids = run(served), list(prompt())
    for output in outputs["a"]:
        logits = EARLY.forward([ids], EARLY.new_cache())[0].astype(float)
        expected = logits - np.log(np.exp(logits).sum())
        found = output.logprob
        assert found.token_id == output.token_id and found.logprob == pytest.approx(expected[output.token_id], abs=1e-4)
        assert [i for i, _ in found.top] == np.argsort(-expected)[:4].tolist()
        assert [x for _, x in found.top] == pytest.approx(np.sort(expected)[::-1][:4], abs=1e-4)
        ids.append(output.token_id)
    assert not any(output.logprob for output in outputs["b"])


# How a request ends -----------------------------------------------------------------------------------

TOY = Vocabulary.toy()


def scripted(texts, **options):
    """One greedy request to a model that wants these texts; its outputs."""
    model = ScriptedModel(adversary(TOY, texts), len(TOY))
    served = Engine(model, TOY)
    # The adversary counts ids: after a prompt as long as its script, the script begins anew.
    request = served.add_request([0] * len(texts), params(temperature=0, **options))
    outputs = run(served)[request.request_id]
    assert len(outputs) == model.num_passes == len(request.output_token_ids)
    return "".join(output.text for output in outputs), outputs[-1].finish_reason, outputs[-1].stop_reason


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"max_tokens": 4}, ("a.21a", "length", None)),
        ({"stop": (".21",)}, ("a", "stop", ".21")),
        ({"stop": ("1a.", "a.2")}, ("", "stop", "a.2")),
        ({"stop_token_ids": (3,)}, ("a.2", "stop", 3)),
        ({"max_tokens": 2, "stop": (".21",)}, ("a.2", "length", None)),
    ],
)
def test_where_an_answer_stops(options, expected):
    assert scripted(["a", ".2", "1"], **options) == expected


def test_eos_ends_an_answer_and_adds_no_text():
    ids = list(range(256))
    served = engine(
        model=ScriptedModel(lambda so_far: np.eye(1024, dtype=np.float32)[[72, 1020][len(so_far) - 1]], 1024)
    )
    request = served.add_request(ids[:1], params(temperature=0))
    outputs = run(served)[request.request_id]
    assert [(o.token_id, o.text, o.finish_reason) for o in outputs] == [(72, "H", None), (1020, "", "stop")]


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


def test_a_freed_slot_shows_nothing_of_the_request_before():
    served = engine(max_num_seqs=1)
    served.add_request(prompt("Hi! " * 30), params(), request_id="a")
    served.step()
    served.abort("a")
    request = served.add_request(*mixed()[0])
    run(served)
    assert request.output_token_ids == ALONE[0]


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
    served = engine()
    with pytest.raises(ValueError, match="response_format must be None"):
        served.add_request([1], response_format=[5])
    served.add_request([1], request_id="a")
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


def test_where_nobody_asks_for_a_format_no_hook_is_called():
    constraint = OneOf()
    served = engine(constraint)
    for ids, how in mixed():
        served.add_request(ids, how)
    run(served)
    assert not constraint.calls


def test_the_hooks_in_their_order():
    constraint = OneOf()
    served = engine(constraint)
    asked = served.add_request(prompt(), params(), response_format=[5, 6], request_id="a")
    served.add_request(prompt("x"), params(max_tokens=1), request_id="b")
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


def test_rows_without_a_format_get_the_tokens_they_get_without_neighbours():
    served = engine(OneOf())
    free = []
    for ids, how in mixed():
        free.append(served.add_request(ids, how))
        served.add_request(ids, how, response_format=[5, 6, 7, 8])
    run(served)
    assert [request.output_token_ids for request in free] == ALONE


def test_the_mask_comes_before_top_k():
    served = engine(OneOf())
    (best,) = answers([(prompt(), params(temperature=0, max_tokens=1))])[0]
    other = (best + 1) % 256
    asked = served.add_request(prompt(), params(top_k=1, max_tokens=1), response_format=[other])
    run(served)
    assert asked.output_token_ids == [other]


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


def test_a_release_that_raises_comes_out_of_the_step_and_frees_the_request():
    constraint = OneOf()
    constraint.release = lambda request: 1 / 0
    served = engine(constraint)
    served.add_request(prompt(), params(max_tokens=1), response_format=[5])
    with pytest.raises(ZeroDivisionError):
        served.step()
    assert is_empty(served)


def test_a_format_that_add_refuses_was_never_there():
    constraint = OneOf()
    served = engine(constraint)
    with pytest.raises(ValueError, match="a bad format"):
        served.add_request(prompt(), params(), response_format="bad", request_id="a")
    assert is_empty(served) and constraint.calls == [("add", "a")]


# A constraint that takes more than one call -----------------------------------------------------------


class Slow(OneOf):
    """A constraint of which one hook needs so many calls for each answer, or for each of some of its tokens."""

    def __init__(self, hook, tries):
        super().__init__()
        self.hook, self.tries, self.looked = hook, tries, {}

    def look(self, hook, request):
        """Do a part of the work; it is done after ``tries`` calls."""
        if hook == self.hook and request.response_format is not None:
            key = request.request_id, len(request.output_token_ids)
            self.looked[key] = self.looked.get(key, 0) + 1
            if self.looked[key] <= self.tries:
                raise TooMuchWork("a step", 9)

    def ready(self, request):
        self.look("ready", request)
        return super().ready(request)

    def mask(self, requests, logits):
        for request in requests:
            self.look("mask", request)
        super().mask(requests, logits)

    def finished(self, request):
        self.look("finished", request)
        return super().finished(request)


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
    asked, outputs, slow = served_by(Slow(hook, 3), **options)
    assert [request.output_token_ids for request in asked] == [request.output_token_ids for request in quick]
    assert {request.finish_reason for request in asked} == {"stop"}
    for name in outputs:
        for one, other in zip(outputs[name], told[name], strict=True):
            assert one.token_id == other.token_id
            assert one.logprob.logprob == pytest.approx(other.logprob.logprob, abs=1e-4)
    assert is_empty(slow) and slow.num_steps >= fast.num_steps


@pytest.mark.parametrize("hook", ["ready", "mask"])
def test_who_never_finds_out_fails_alone(hook):
    asked, _, served = served_by(Slow(hook, 10**9))
    assert [request.finish_reason for request in asked] == ["error", "error", "stop", "error"]
    assert all(isinstance(request.error, TooMuchWork) for request in asked if request.response_format)
    assert is_empty(served)


def test_only_one_of_those_that_were_put_off_is_asked_in_a_step():
    constraint, counts = Slow("mask", 6), []
    served = engine(constraint)
    for n in range(5):
        served.add_request(prompt(), params(seed=n), response_format=[7, 9])
    while served.requests:
        before = sum(constraint.looked.values())
        served.step()
        counts.append(sum(constraint.looked.values()) - before)
    # The batch is asked first, up to the first that needs more; then each alone: five at first, then one that waited.
    assert counts[0] <= 6 and max(counts[1:]) <= 1 + 5


def test_whether_an_answer_is_finished_may_be_too_much_to_ask():
    """Then the model goes on, and the mask says what may come."""
    asked, _, served = served_by(Slow("finished", 10**9))
    assert [request.finish_reason for request in asked] == ["length", "length", "stop", "length"]
    assert is_empty(served)


def test_a_request_that_was_put_off_can_be_aborted():
    served = engine(Slow("mask", 10**9))
    request = served.add_request(prompt(), params(), response_format=[7, 9])
    for _ in range(3):
        assert served.step() == []
    assert served.abort(request.request_id) and is_empty(served)
