"""Tests of jumps: tokens that the constraint appends without a pass."""

import numpy as np
import pytest

from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.vocabulary import Vocabulary
from tests.labkit.engine import EARLY, TOKENIZER, engine, is_empty, params, prompt, run

LETTERS = Vocabulary([b"a", b"b", b"c", b"ab", b"bc", b"abc", b"</s>"], eos_id=6)
A, B, C, AB, BC, ABC, EOS = range(7)


class Jumps:
    """Allows everything; ``response_format`` says which tail follows after which tokens, and which are the end."""

    def __init__(self):
        self.calls = []

    def add(self, request):
        pass

    def ready(self, request):
        return True

    def mask(self, requests, logits):
        pass

    def advance(self, request, token_id):
        self.calls.append(("advance", token_id))

    def jump(self, request):
        self.calls.append(("jump", tuple(request.output_token_ids)))
        tail = request.response_format.get(tuple(request.output_token_ids), ())
        if tail == "raise":
            raise ZeroDivisionError
        return tail

    def finished(self, request):
        return request.response_format.get("end") == tuple(request.output_token_ids)

    def release(self, request):
        self.calls.append(("release",))


def served(tokens="a", model=None, hooks=None, **options):
    """Return an engine whose model writes these letters in turn, the place in the text deciding, and its hooks."""
    wanted = [LETTERS.token_bytes.index(token.encode()) for token in tokens]

    def scripted(ids):
        return np.where(np.arange(len(LETTERS)) == wanted[(len(ids) - 1) % len(wanted)], 9, 0).astype(np.float32)

    hooks = hooks or Jumps()
    return Engine(ScriptedModel(model or scripted, len(LETTERS)), LETTERS, hooks, **options), hooks


def outputs_of(jumps, tokens="a", **options):
    """Return what comes out for one request, the passes that it took, and the request."""
    runs, _ = served(tokens)
    asked = SamplingParams(**{"max_tokens": 6, "temperature": 0, **options})
    request = runs.add_request([A], asked, response_format=jumps)
    found = run(runs)["request-0"]
    assert is_empty_of_letters(runs)
    return found, runs.num_steps, request


def is_empty_of_letters(runs):
    return not runs.requests and not runs.scheduler.running and not any(runs.runner.cache)


def test_a_jump_is_read_with_the_next_token_and_comes_out_in_order():
    found, passes, request = outputs_of({(A,): (A, B, C), (A, B, C, A): (A, BC)}, "a")
    assert [output.token_id for output in found] == [A, B, C, A, BC, A] == request.output_token_ids
    assert [output.text for output in found] == ["a", "b", "c", "a", "bc", "a"]
    assert passes == 3 and [output.finish_reason for output in found] == [None] * 5 + ["length"]


def test_an_answer_without_a_choice_takes_no_pass():
    found, passes, _ = outputs_of({(): (A, BC), "end": (A, BC)})
    assert passes == 0 and [(output.text, output.finish_reason) for output in found] == [("a", None), ("bc", "stop")]


def test_a_tail_may_write_the_last_token_otherwise():
    """The text goes on as it was; the model reads the new tokens alone."""
    read = []

    def model(ids):
        read.append(list(ids))
        return np.float32([9, 0, 0, 0, 0, 0, 0])

    runs, _ = served(model=model)
    asked = SamplingParams(max_tokens=3, temperature=0, logprobs=0)
    request = runs.add_request([C], asked, response_format={(A,): (ABC, B), (ABC, B, A): (A, B)})
    found = run(runs)["request-0"]
    assert "".join(output.text for output in found) == "abcba" and request.output_token_ids == [ABC, B, A]
    assert read == [[C], [C, ABC, B]]
    # ABC was never chosen, nor B; the second A was.
    assert [output.logprob is not None for output in found] == [False, False, True]


@pytest.mark.parametrize(
    ("options", "ids", "text", "ends"),
    [
        ({"max_tokens": 2}, [A, B], "ab", ("length", None)),
        ({"max_tokens": 4}, [A, B, C, A], "abca", ("length", None)),
        ({"stop": ("bc",)}, [A, B, C], "a", ("stop", "bc")),
        ({"stop": ("b",)}, [A, B], "a", ("stop", "b")),
        ({"stop_token_ids": (C,)}, [A, B, C], "ab", ("stop", C)),
        ({"stop": ("ca",)}, [A, B, C, A], "ab", ("stop", "ca")),
        ({"max_tokens": 1}, [A], "a", ("length", None)),
    ],
)
def test_where_a_jump_ends(options, ids, text, ends):
    """At a stop string, at a stop id, and never after max_tokens."""
    found, _, request = outputs_of({(A,): (A, B, C, A, B)}, **options)
    assert request.output_token_ids == ids and "".join(output.text for output in found) == text
    assert (request.finish_reason, request.stop_reason) == ends


def test_the_hooks_in_their_order():
    runs, hooks = served("a")
    asked = SamplingParams(max_tokens=4, temperature=0)
    runs.add_request([A], asked, response_format={(A,): (A, B)})
    runs.add_request([A], asked)
    run(runs)
    # B came by a jump, so advance never hears of it; nor does any hook of the request without a format.
    assert hooks.calls == [
        ("jump", ()),
        *[("advance", A), ("jump", (A,)), ("advance", A), ("jump", (A, B, A)), ("advance", A)],
        *[("jump", (A, B, A, A)), ("release",)],
    ]


@pytest.mark.parametrize("after", [(), (A,)])
def test_a_jump_that_raises_ends_its_request_alone(after):
    runs, _ = served("a")
    bad = runs.add_request([A], SamplingParams(temperature=0), response_format={after: "raise"})
    good = runs.add_request([A], SamplingParams(max_tokens=3, temperature=0), response_format={})
    run(runs)
    assert (bad.finish_reason, good.finish_reason) == ("error", "length") and isinstance(bad.error, ZeroDivisionError)
    assert is_empty_of_letters(runs)


@pytest.mark.parametrize("most", [3, 5, 64])
def test_jumpers_in_a_batch_get_what_they_get_alone(most):
    """With the small model: positions and cache are those of the same text read at once, whatever a step holds."""
    text = TOKENIZER.encode('{"name": "Zoë", "city": "Rome"}')
    forced = {(): tuple(text[:4])}

    def answers(*names, **options):
        runs = engine(Jumps(), **options)
        made = []
        for name in names:
            asked = params(seed=ord(name), max_tokens=9, temperature=0)
            made.append(runs.add_request(prompt(), asked, response_format=forced if name < "c" else None))
        steps = run(runs)
        assert is_empty(runs)
        return [request.output_token_ids for request in made], steps

    together, _ = answers("a", "b", "c", max_num_seqs=3, max_num_batched_tokens=most)
    assert together == [answers(name)[0][0] for name in "abc"]
    # And the token after the jump is that of the model which reads prompt and jump at once.
    logits = EARLY.forward([prompt() + text[:4]], EARLY.new_cache())
    assert together[0][4] == int(logits[0].argmax())


def test_after_eos_nothing_jumps():
    runs, hooks = served(["</s>"])
    runs.add_request([A], SamplingParams(max_tokens=4, temperature=0), response_format={(EOS,): (EOS, A)})
    assert [(each.token_id, each.text, each.finish_reason) for each in run(runs)["request-0"]] == [(EOS, "", "stop")]
    assert ("jump", (EOS,)) not in hooks.calls
