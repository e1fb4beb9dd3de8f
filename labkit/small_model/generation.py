"""Answers from the small model: many requests side by side, each with its own mask, budget and seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.errors import NoLegalToken
from labkit.small_model.kv_cache import KvCache
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary

Floats = NDArray[np.float32]


class Constraint(Protocol):
    """What decides which tokens may come next, such as a guide of ``mask_engine``."""

    @property
    def initial(self) -> Any:
        """The state before the first token."""

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next as a bitmask: ``int32[ceil(V / 32)]``."""

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token."""


@dataclass(frozen=True)
class Request:
    """One request to the model.

    Attributes:
        prompt: the ids that the model reads first.
        max_tokens: the most ids that may be written, forced ones and EOS included.
        constraint: the mask, or None for a free answer.
        within_budget: whether the mask keeps enough of ``max_tokens`` to finish; if not, an answer may be cut off.
        forced: ids that are written before the model chooses any, and before the constraint starts.
        seed: determines the sampling, independently of other requests.
        temperature: divides the logits; at 0 the most likely token is taken.
    """

    prompt: Sequence[int]
    max_tokens: int = 200
    constraint: Constraint | None = None
    within_budget: bool = False
    forced: Sequence[int] = ()
    seed: int = 0
    temperature: float = 1.0


@dataclass(frozen=True)
class Answer:
    """What the model wrote.

    Attributes:
        ids: the written ids without EOS.
        finish_reason: ``"stop"`` if EOS came, ``"length"`` if the tokens ran out.
    """

    ids: tuple[int, ...]
    finish_reason: str


@dataclass
class _Stream:
    """A request in progress."""

    number: int
    request: Request
    written: list[int]
    rng: np.random.Generator
    state: Any = None
    reason: str = ""

    @property
    def remaining(self) -> int:
        return self.request.max_tokens - len(self.written)


OnToken = Callable[[int, int], object]
"""``on_token(number of the request, token id)``, called for each token as it is chosen, EOS included."""


@dataclass
class Generator:
    """The model with its vocabulary, ready to answer.

    Args:
        batch: how many requests are answered side by side.
    """

    model: SmallModel
    vocabulary: Vocabulary
    batch: int = 32
    on_token: OnToken = field(default=lambda number, token_id: None)

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """Return an answer for each request, in their order.

        A request gets the same answer in any batch, except where rounding decides between nearly equal choices.

        Raises:
            ValueError: if a prompt is empty, a temperature negative, or prompt and answer together are longer than the
                model's context.
            NoLegalToken: if a mask allows nothing, for example because the vocabulary lacks a byte of the pattern.
        """
        streams = [self._begin(number, request) for number, request in enumerate(requests)]
        # A batch pads its prompts to the longest of them, so prompts of similar length share one.
        waiting = sorted(streams, key=lambda stream: len(stream.request.prompt))
        for start in range(0, len(waiting), self.batch):
            self._run([stream for stream in waiting[start : start + self.batch] if not stream.reason])
        return [Answer(tuple(stream.written), stream.reason) for stream in streams]

    def _begin(self, number: int, request: Request) -> _Stream:
        longest, most = len(request.prompt) + request.max_tokens, self.model.config.max_positions
        if not request.prompt:
            raise ValueError(f"request {number} has an empty prompt: the model needs a token to begin with")
        if request.temperature < 0:
            raise ValueError(f"request {number}: the temperature has to be 0 or more, not {request.temperature}")
        if longest > most:
            raise ValueError(
                f"request {number}: a prompt of {len(request.prompt)} tokens and {request.max_tokens} more: {longest}; "
                f"the model's context is {most}"
            )
        stream = _Stream(number, request, list(request.forced), np.random.default_rng(request.seed))
        stream.state = request.constraint.initial if request.constraint else None
        stream.reason = "length" if stream.remaining <= 0 else ""
        return stream

    def _run(self, streams: list[_Stream]) -> None:
        if not streams:
            return
        # Prefill: read all prompts at once, padded on the right.
        texts = [[*stream.request.prompt, *stream.written] for stream in streams]
        lengths = np.array([len(text) for text in texts])
        tokens = np.zeros((len(texts), lengths.max()), np.int64)
        for row, text in enumerate(texts):
            tokens[row, : len(text)] = text
        cache = self.model.new_cache(len(streams))
        logits = self.model.forward(tokens, cache, lengths)
        # Decode: one token for each request, until the last of them has finished.
        while streams:
            chosen = [self._choose(stream, row) for stream, row in zip(streams, logits, strict=True)]
            streams, chosen, cache = _without_finished(streams, chosen, cache)
            if streams:
                logits = self.model.forward(np.array(chosen)[:, None], cache)

    def _choose(self, stream: _Stream, logits: Floats) -> int:
        """Choose a token for one request and record it."""
        request = stream.request
        if request.constraint:
            remaining = stream.remaining if request.within_budget else None
            logits = self._masked(logits, request.constraint.mask(stream.state, remaining), stream)
        token_id = sample(logits, request.temperature, stream.rng)
        if request.constraint:
            stream.state = request.constraint.advance(stream.state, token_id)
        self.on_token(stream.number, token_id)
        if token_id == self.vocabulary.eos_id:
            stream.reason = "stop"
            return token_id
        stream.written.append(token_id)
        if stream.remaining == 0:
            stream.reason = "length"
        return token_id

    def _masked(self, logits: Floats, words: NDArray[np.int32], stream: _Stream) -> Floats:
        allowed = np.unpackbits(words.view(np.uint8), bitorder="little", count=len(logits)).view(np.bool_)
        if not allowed.any():
            raise NoLegalToken(stream.state, self.vocabulary.decode(stream.written))
        return np.where(allowed, logits, np.float32(-np.inf))


def sample(logits: Floats, temperature: float, rng: np.random.Generator) -> int:
    """Draw a token by its probability: softmax of the logits over the temperature, then the inverse of the sums.

    >>> sample(np.array([0, 9, -np.inf], np.float32), 0, np.random.default_rng(0))
    1
    """
    if temperature == 0:
        return int(logits.argmax())
    scaled = (logits - logits.max()).astype(np.float64) / temperature
    sums = np.exp(scaled).cumsum()
    # Take the smallest index whose sum exceeds the drawn number: it is never a token of probability 0.
    return int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))


def _without_finished(
    streams: list[_Stream], chosen: list[int], cache: KvCache
) -> tuple[list[_Stream], list[int], KvCache]:
    rows = [row for row, stream in enumerate(streams) if not stream.reason]
    if len(rows) == len(streams):
        return streams, chosen, cache
    cache = cache.take(rows) if rows else cache
    return [streams[row] for row in rows], [chosen[row] for row in rows], cache
