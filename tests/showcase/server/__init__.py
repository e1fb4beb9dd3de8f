"""Tests of the server; and a stand-in for lab 09's part, which knows nothing of lab 09."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from labkit.errors import BudgetTooSmall, QueueFull
from labs.assembled import compile_guide


class StandIn:
    """Structured outputs without cleverness: each request compiles by itself, one at a time, in a thread.

    Args:
        vocabulary: of the model.
        most: how many compiles may wait.
    """

    def __init__(self, vocabulary, most=64):
        self.vocabulary, self.most = vocabulary, most
        self.pool = ThreadPoolExecutor(1)
        self.compiling = {}
        self.guides = {}

    def add(self, request):
        key = json.dumps(request.response_format)
        if key in self.guides:
            request.structured_output_state = self.guides[key]
            return
        if len(self.compiling) >= self.most:
            raise QueueFull("grammars wait for their compile", self.most)
        self.compiling[request.request_id] = self.pool.submit(self.compiled, key, request.response_format)

    def compiled(self, key, asked):
        pattern, schema = asked.get("pattern"), asked.get("schema")
        if asked["type"] == "choice":
            pattern = "|".join(map(re.escape, asked["choices"]))
        if asked["type"] == "json_object":
            schema = {"type": "object", "additionalProperties": {"type": "string"}}
        guide = self.guides[key] = compile_guide(self.vocabulary, regex=pattern, json_schema=schema)
        if len(self.guides) > 32:
            del self.guides[next(iter(self.guides))]
        return guide

    def ready(self, request):
        if request.request_id in self.compiling:
            if not self.compiling[request.request_id].done():
                return False
            request.structured_output_state = self.compiling.pop(request.request_id).result()
        guide = request.structured_output_state
        if not isinstance(guide, list):
            needed = guide.tokens_to_accept(guide.initial) + 1
            if needed > request.remaining:
                raise BudgetTooSmall(request.remaining, needed)
            request.structured_output_state = [guide, guide.initial]
        return True

    def mask(self, requests, logits):
        for request, row in zip(requests, logits, strict=True):
            if request.response_format is not None:
                guide, state = request.structured_output_state
                words = guide.mask(state, request.remaining)
                allowed = np.unpackbits(words.view(np.uint8), bitorder="little", count=len(row)).view(bool)
                row[~allowed] = -np.inf

    def advance(self, request, token_id):
        held = request.structured_output_state
        held[1] = held[0].advance(held[1], token_id)

    def finished(self, request):
        guide, state = request.structured_output_state
        eos = self.vocabulary.eos_id
        words = guide.mask(state)
        return guide.is_accepting(state) and int(np.bitwise_count(words.view(np.uint32)).sum()) == int(
            words[eos // 32] >> eos % 32 & 1
        )

    def release(self, request):
        if future := self.compiling.pop(request.request_id, None):
            future.cancel()
        request.structured_output_state = None
