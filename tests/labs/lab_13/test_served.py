"""Lab 13 in the engine: texts of the samplers, beside other requests, with everything else that a request may ask."""

import math
import re
import threading
from collections import Counter

import numpy as np
import pytest

from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.errors import LimitExceeded, TooMuchWork
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import answers
from labs.lab_13_fair_sampling.given import samplers
from mask_engine import sampling, structured_outputs, text_samplers, tool_outputs
from tests.labs.lab_09.test_served import FORMATS, MODEL, TOKENIZER, check

NO, YES, TERDAY, EOS, ASK = range(5)
WORDS = Vocabulary([b"no", b"yes", b"terday", b"</s>", b"<ask>"], eos_id=EOS, special_ids=[EOS, ASK])
AFTER = {NO: [0, 0, 0, 1, 0], YES: [0, 0, 3, 1, 0], TERDAY: [0, 0, 0, 1, 0], ASK: [1, 1, 0, 0, 0]}
FORMAT = {"type": "choice", "choices": ["no", "yes"]}
DRAWN = ["rejection", "smc", "adaptive"]
ENOUGH = math.sqrt(math.log(2 / 1e-7) / (2 * 300))
"""Of 300 right answers, a share is off by more with probability 1e-7 at most (Hoeffding)."""


def words(ids):
    with np.errstate(divide="ignore"):
        return np.log(np.array(AFTER[ids[-1]], np.float32))


def engine(model=words, jump=None, **options):
    masks = structured_outputs(WORDS, jump=jump)
    return Engine(ScriptedModel(model, 5), WORDS, masks, text_sampler=text_samplers(WORDS), **options)


def ask(engine, sampler="masked", form=FORMAT, **params):
    params = {"max_tokens": 4, **params}
    return engine.add_request([ASK], SamplingParams(sampler=sampler, **params), response_format=form)


def is_empty(engine):
    """Return whether an engine holds nothing of anybody."""
    runner = engine.runner
    return not engine.requests and len(runner.free_slots) == runner.num_slots and not any(runner.cache)


def texts(engine, requests):
    engine.generate(*requests)
    assert [request.error for request in requests] == [None] * len(requests)
    assert is_empty(engine)
    return [engine.vocabulary.decode([i for i in request.output_token_ids if i != EOS]) for request in requests]


@pytest.mark.parametrize("jump", [None, "longest"])
@pytest.mark.parametrize(("sampler", "share"), [("masked", 0.5), ("rejection", 0.8), ("smc", 0.8), ("adaptive", 0.8)])
def test_masked_texts_are_bent_and_the_others_are_not(sampler, share, jump):
    at_work = engine(jump=jump)
    found = Counter(texts(at_work, [ask(at_work, sampler, seed=seed) for seed in range(200)]))
    found += Counter(texts(at_work, [ask(at_work, sampler, seed=seed) for seed in range(200, 300)]))
    assert found.keys() == {"no", "yes"} and found.total() == 300
    assert abs(found["no"] / 300 - share) < ENOUGH, found


@pytest.mark.parametrize("sampler", ["rejection", "smc"])
def test_a_seed_decides_alone_and_in_any_batch(sampler):
    seeds, busy = range(20), engine(max_num_seqs=3, max_num_batched_tokens=7)
    others = [ask(busy, name, seed=1) for name in ("masked", "adaptive", "masked")]
    together = [ask(busy, sampler, seed=seed) for seed in seeds]
    found = texts(busy, [*others, *together])[3:]
    assert found == [texts(each := engine(), [ask(each, sampler, seed=seed)])[0] for seed in seeds]
    assert len(set(found)) == 2


def test_the_adaptive_sampler_remembers_between_requests():
    at_work, reversed_ = engine(), []
    sampler = at_work.text_sampler
    while not any(-5 < memory.get((YES,), 0.0) < -1 for memory in sampler.memories.values()):
        reversed_ += texts(at_work, [ask(at_work, "adaptive", seed=0)])
    (memory,) = sampler.memories.values()
    # log 1/4 after yes, and 1/2 + 1/8 at the start; the same seed gives another text now.
    assert memory[YES,] == pytest.approx(math.log(1 / 4)) and memory[()] == pytest.approx(math.log(5 / 8))
    assert reversed_ == ["yes"] and texts(at_work, [ask(at_work, "adaptive", seed=0)]) == ["no"]
    # Another prompt, format, budget or temperature has a memory of its own.
    texts(at_work, [ask(at_work, "adaptive", max_tokens=3), ask(at_work, "adaptive", temperature=2.0)])
    texts(at_work, [ask(at_work, "adaptive", {"type": "choice", "choices": ["no"]})])
    assert len(sampler.memories) == 4


@pytest.mark.parametrize("sampler", DRAWN)
def test_all_of_a_text_is_sent_at_once(sampler):
    at_work = engine()
    request, steps = ask(at_work, sampler, seed=3), []
    while at_work.requests:
        steps.append(at_work.step())
    assert [len(step) for step in steps[:-1]] == [0] * (len(steps) - 1)
    assert "".join(output.text for output in steps[-1]) in ("no", "yes")
    assert [output.finish_reason for output in steps[-1]] == [None, "stop"]
    assert request.output_token_ids == [output.token_id for output in steps[-1]]


@pytest.mark.parametrize("sampler", DRAWN)
def test_a_text_keeps_its_budget(sampler):
    """Of a+ within three tokens the model would write longer texts; each answer ends with EOS all the same."""
    letters = Vocabulary([b"a", b"b", b"</s>"], eos_id=2)
    model = ScriptedModel(lambda ids: np.log(np.float32([0.6, 0.1, 0.3])), 3)
    at_work = Engine(model, letters, structured_outputs(letters), text_sampler=text_samplers(letters))
    params = [SamplingParams(max_tokens=3, seed=seed, sampler=sampler) for seed in range(40)]
    requests = [at_work.add_request([0], each, response_format={"type": "regex", "pattern": "a+"}) for each in params]
    at_work.generate(*requests)
    assert {tuple(request.output_token_ids) for request in requests} == {(0, 2), (0, 0, 2)}
    assert {request.finish_reason for request in requests} == {"stop"}


@pytest.mark.parametrize(("sampler", "work"), [("rejection", 100), ("smc", 300), ("adaptive", 100)])
def test_a_sampler_that_is_short_of_work_goes_on_in_the_next_turn(sampler, work):
    """It draws the same text in more turns; where no number of turns is enough, its request fails alone."""
    letters = Vocabulary([b"a", b"b", b"</s>"], eos_id=2)
    form = {"type": "regex", "pattern": "(a|b)*a(a|b){9}"}

    def drawn(most_work):
        model = ScriptedModel(lambda ids: np.log(np.float32([0.4, 0.5, 0.1])), 3)
        sampling = text_samplers(letters, most_work)
        at_work = Engine(model, letters, structured_outputs(letters), text_sampler=sampling)
        params = SamplingParams(max_tokens=60, seed=3, sampler=sampler)
        request = at_work.add_request([0], params, response_format=form)
        at_work.generate(request)
        return request, at_work.num_steps

    (free, few), (limited, more), (starved, _) = drawn(None), drawn(work), drawn(1)
    assert limited.output_token_ids == free.output_token_ids and more > few
    assert isinstance(starved.error, TooMuchWork)


@pytest.mark.parametrize("tools", [False, True])
def test_every_kind_of_format_has_its_texts(tools):
    """On the small model, whose engine may be one for tool calls; judged by other people's code."""
    masks = tool_outputs(TOKENIZER.vocabulary, "hermes") if tools else structured_outputs(TOKENIZER.vocabulary)
    sampler = text_samplers(TOKENIZER.vocabulary)
    at_work = Engine(MODEL, TOKENIZER.vocabulary, masks, text_sampler=sampler)
    nested = {"type": "grammar", "grammar": 'root ::= "(" root? ")"'}
    asked = [(name, form) for name in ("smc", "adaptive") for form in [*FORMATS[:-2], nested]]
    params = [SamplingParams(max_tokens=24, seed=1, sampler=name) for name, _ in asked]
    prompt = TOKENIZER.prompt("Write something.")
    requests = [
        at_work.add_request(prompt, each, response_format=form) for each, (_, form) in zip(params, asked, strict=True)
    ]
    for request, (_, form), text in zip(requests, asked, answers(at_work, *requests), strict=True):
        assert request.finish_reason == "stop" and request.output_token_ids[-1] == TOKENIZER.eos_id
        check(form, text)
        assert form is not nested or (text.count("(") == text.count(")") and "()" in text and len(text) <= 46)


def test_what_is_kept_of_prefixes_is_bounded(monkeypatch):
    monkeypatch.setattr(samplers, "KEPT", 4)
    at_work = engine()
    plain = texts(at_work, [ask(at_work, "smc", seed=seed) for seed in range(9)])
    monkeypatch.undo()
    assert plain == texts(at_work, [ask(at_work, "smc", seed=seed) for seed in range(9)])
    monkeypatch.setattr(sampling, "MEMORIES", 2)
    monkeypatch.setattr(sampling, "TOKENS", 0)
    texts(at_work, [ask(at_work, "adaptive", max_tokens=most) for most in (2, 3, 4)])
    (_, before), (_, after) = at_work.text_sampler.memories.items()
    assert before and after and len(before) <= 2
    texts(at_work, [ask(at_work, "adaptive", max_tokens=4, seed=0)])
    assert len(at_work.text_sampler.memories) == 2 and () in after


@pytest.mark.parametrize("sampler", DRAWN)
def test_a_request_that_is_aborted_leaves_nothing(sampler):
    before = threading.active_count()
    at_work = engine()
    requests = [ask(at_work, sampler, seed=seed) for seed in range(4)]
    for steps, request in enumerate(requests):
        for _ in range(steps and 1):
            at_work.step()
        at_work.abort(request.request_id)
    assert is_empty(at_work) and threading.active_count() == before
    assert texts(at_work, [ask(at_work, sampler)])[0] in ("no", "yes")


def test_rejection_gives_up():
    """A model that never writes a legal text: this request fails, and the others go on."""
    at_work = engine(lambda ids: np.float32([0, 0, 30, 0, 0]))
    hopeless, other = ask(at_work, "rejection"), ask(at_work, "smc")
    at_work.generate(hopeless, other)
    assert type(hopeless.error) is LimitExceeded and "no legal text in 50 attempts" in str(hopeless.error)
    assert other.error is None and is_empty(at_work)


def test_what_has_no_meaning_is_refused_by_name():
    at_work = engine()
    for name, value in [
        ("temperature", 0.0),
        ("top_k", 3),
        ("top_p", 0.5),
        ("min_p", 0.5),
        ("repetition_penalty", 1.5),
        ("logprobs", 0),
    ]:
        with pytest.raises(ValueError, match=f"{name} must be .* with the sampler smc"):
            SamplingParams(sampler="smc", **{name: value})
    with pytest.raises(ValueError, match="sampler must be one of masked, rejection, smc, adaptive, not 'best'"):
        SamplingParams(sampler="best")
    for form, what in [(None, "no constraint"), ({"type": "text"}, "no constraint"), ({"type": "tools"}, "tools")]:
        with pytest.raises(ValueError, match=f"adaptive needs a constraint on the whole answer.*{what}"):
            ask(at_work, "adaptive", form)
    with pytest.raises(ValueError, match="no other sampler than masked"):
        ask(Engine(ScriptedModel(words, 5), WORDS, structured_outputs(WORDS)), "smc")
    assert is_empty(at_work)


def test_a_copy_without_lab_13_says_so(monkeypatch):
    monkeypatch.setattr("mask_engine.outputs.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=re.escape("the sampler smc needs lab 13, which this copy of the course")):
        ask(engine(), "smc")


@pytest.mark.parametrize("sampler", DRAWN)
def test_a_temperature_counts_once(sampler):
    """At temperature 1/2 the model would end after yes with 1/10 and not 1/4, so no has 10 of 11 parts."""
    at_work = engine()
    # The adaptive sampler learns from the first of these, which are not counted.
    texts(at_work, [ask(at_work, sampler, temperature=0.5, seed=seed) for seed in range(200, 230)])
    found = Counter(texts(at_work, [ask(at_work, sampler, temperature=0.5, seed=seed) for seed in range(200)]))
    assert abs(found["no"] / 200 - 10 / 11) < 0.09, found


def test_passes_are_not_repeated():
    """Sixteen particles ask the same questions at first: each is answered by one pass."""
    at_work = engine()
    texts(at_work, [ask(at_work, "smc")])
    assert at_work.num_steps == 3  # after the prompt, after no, after yes
