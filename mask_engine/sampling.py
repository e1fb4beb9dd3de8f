"""Your samplers in an engine: a function that asks a model becomes questions that an engine answers, step by step."""

import json
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from labkit.automata.work import at_most
from labkit.engine import Request, TextSampler
from labkit.engine.engine import MOST_PUT_OFF
from labkit.errors import LimitExceeded, TooMuchWork
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.lab_13_fair_sampling.given.samplers import ATTEMPTS, PARTICLES, Allowed, keep, write

T = TypeVar("T")
Logits = NDArray[np.floating]

MEMORIES, TOKENS = 32, 500_000
"""So many memories of the adaptive sampler are kept, those used last; one of more tokens is emptied."""


class TextSamplers:
    """What an engine calls for a request with another sampler than ``"masked"``.

    The adaptive sampler remembers what it has learned for each prompt, format, budget and temperature, so its texts
    depend on earlier requests. Those of the others depend on the request alone.

    Args:
        vocabulary: the model's.
        most_work: how much work one turn may ask of a guide (``labkit.automata.work``). A sampler that needs more has
            the model read its last prefix again meanwhile, a few times. None for no limit.

    >>> from labkit.engine import SamplingParams
    >>> request = Request("a", (3,), SamplingParams(sampler="smc"), {"type": "regex", "pattern": "1"})
    >>> next(TextSamplers(Vocabulary.toy())(request))  # its first question: what comes after the prompt alone?
    ()
    """

    def __init__(self, vocabulary: Vocabulary, most_work: int | None = None) -> None:
        self.vocabulary, self.most_work = vocabulary, most_work
        self.memories: OrderedDict[Any, dict[tuple[int, ...], float]] = OrderedDict()

    def __call__(self, request: Request) -> TextSampler:
        """Return the questions of a request's sampler.

        Raises:
            ValueError: if the request has no constraint, or tools.
        """
        asked = request.response_format
        kind = asked.get("type", "text") if isinstance(asked, Mapping) else "text"
        if kind in ("text", "tools"):
            name, what = request.sampling_params.sampler, {"text": "no constraint", "tools": "tools"}[kind]
            raise ValueError(f"sampler: {name} needs a constraint on the whole answer, and the request has {what}")
        return self._drawn(request)

    def _drawn(self, request: Request) -> TextSampler:
        params, known = request.sampling_params, dict[tuple[int, ...], Logits]()
        known[()] = (yield ()).copy()  # a view would keep the rows of the whole batch
        # The request is ready: lab 09 has given it a state, and with it the guide.
        guide = request.structured_output_state.guide
        allowed = Allowed(guide, len(self.vocabulary), params.max_tokens)
        memory = self._memory(request) if params.sampler == "adaptive" else {}

        def text(ask: Model) -> list[int] | None:
            limit, last = at_most(self.most_work), tuple[int, ...]()

            def model(ids: Sequence[int]) -> Logits:
                nonlocal last
                key = tuple(ids)
                if key not in known:
                    keep(known, key, ask(key).copy())
                    last, limit.left = key, limit.most  # another turn has begun
                return known[key].astype(np.float64) / params.temperature

            def legal(ids: Sequence[int]) -> NDArray[np.bool_]:
                for _ in range(MOST_PUT_OFF):
                    with suppress(TooMuchWork):
                        return allowed(ids)
                    ask(last)  # the guide has kept what it found out
                    limit.left = limit.most
                return allowed(ids)

            with limit:
                return write(params.sampler, model, legal, self.vocabulary.eos_id, request.generator.random, memory)

        ids = yield from questions(text)
        if ids is None:
            tries = {"rejection": (ATTEMPTS, "attempts"), "smc": (PARTICLES, "particles"), "adaptive": (1, "text")}
            number, word = tries[params.sampler]
            raise LimitExceeded(f"the sampler {params.sampler} wrote no legal text in {number} {word}", number)
        return ids

    def _memory(self, request: Request) -> dict[tuple[int, ...], float]:
        params = request.sampling_params
        asked = json.dumps(dict(request.response_format))
        key = (request.prompt_token_ids, asked, params.max_tokens, params.temperature)
        memory = self.memories.pop(key, {})
        if sum(map(len, memory)) > TOKENS:
            memory.clear()  # what is forgotten counts as 1 again, which is an upper bound too
        self.memories[key] = memory
        if len(self.memories) > MEMORIES:
            self.memories.popitem(last=False)
        return memory


class _Gone(BaseException):
    """Raised in a function whose model will not answer again. No ``except Exception`` catches it."""


def questions(function: Callable[[Model], T]) -> Generator[Sequence[int], Logits, T]:
    """Run a function that asks a model; yield each of its questions, take the answer, and return what it returns.

    The function has a thread of its own, which waits while the generator does: the two never run at the same time.
    Closing the generator ends the thread.

    >>> asked = questions(lambda model: [float(model([7])), float(model([7, 8]))])
    >>> next(asked), asked.send(0.5)
    ([7], [7, 8])
    >>> asked.send(0.25)
    Traceback (most recent call last):
    StopIteration: [0.5, 0.25]
    """
    asked, answers = SimpleQueue[Any](), SimpleQueue[Any]()

    def model(ids: Sequence[int]) -> Any:
        asked.put(("ids", ids))
        answer = answers.get()
        if answer is None:
            raise _Gone
        return answer

    def run() -> None:
        try:
            asked.put(("text", function(model)))
        except BaseException as error:
            asked.put(("error", error))

    thread = Thread(target=run, name="text sampler", daemon=True)
    thread.start()
    try:
        while True:
            kind, value = asked.get()
            if kind == "text":
                return value  # type: ignore[no-any-return]
            if kind == "error":
                raise value
            answers.put((yield value))
    finally:
        answers.put(None)
        thread.join()
