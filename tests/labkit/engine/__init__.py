"""Tests of the engine; and a constraint that is a test double."""

import numpy as np

from labkit.engine import Engine, SamplingParams
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel

TOKENIZER = Tokenizer.load()
EARLY = SmallModel.load("early")


class OneOf:
    """Allows the token ids in ``response_format`` alone, is complete after three, and notes every call."""

    def __init__(self):
        self.calls = []
        self.compiling = set()

    def add(self, request):
        self.calls.append(("add", request.request_id))
        if request.response_format == "bad":
            raise ValueError("a bad format")
        request.structured_output_state = list(request.response_format)

    def ready(self, request):
        self.calls.append(("ready", request.request_id))
        if request.response_format == "late":
            raise ValueError("it cannot be compiled")
        return request.request_id not in self.compiling

    def mask(self, requests, logits):
        self.calls.append(("mask", [request.request_id for request in requests]))
        for request, row in zip(requests, logits, strict=True):
            if request.response_format == "raises":
                raise ZeroDivisionError
            if request.response_format is not None:
                allowed = request.structured_output_state
                row[np.isin(np.arange(len(row)), allowed, invert=True)] = -np.inf

    def advance(self, request, token_id):
        self.calls.append(("advance", request.request_id, token_id))
        if request.response_format == "stumbles":
            raise ValueError("a token that is not allowed")

    def finished(self, request):
        return len(request.output_token_ids) == 3

    def release(self, request):
        self.calls.append(("release", request.request_id))

    def of(self, name):
        return [call[0] for call in self.calls if name in call[1:]]


def engine(structured_outputs=None, model=EARLY, **options):
    return Engine(model, TOKENIZER.vocabulary, structured_outputs, **options)


def prompt(text="teal as a hex colour"):
    return TOKENIZER.prompt(text)


def params(**options):
    return SamplingParams(**{"max_tokens": 12, "seed": 0, **options})


def run(served):
    """Steps until nobody is left; the outputs of each request, by name."""
    outputs = {}
    for _ in range(10_000):
        if not served.requests:
            return outputs
        for output in served.step():
            outputs.setdefault(output.request_id, []).append(output)
    raise AssertionError("it never ends")


def is_empty(served):
    """Whether an engine holds nothing of anybody: no request, no slot, no token in the cache."""
    scheduler, runner = served.scheduler, served.runner
    held = [*served.requests, *scheduler.waiting, *scheduler.running]
    return not held and len(runner.free_slots) == runner.num_slots and not runner.cache.lengths.any()
