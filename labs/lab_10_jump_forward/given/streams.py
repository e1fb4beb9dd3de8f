"""One request by itself, without an engine: the tokens it wrote, and how many of them the model has read."""

from dataclasses import dataclass, field

import numpy as np

from labkit.engine import SamplingParams
from labs.lab_09_inside_an_engine.solution import StructuredOutputState


@dataclass(eq=False)
class Stream:
    """One request of a batch. Its place in the batch is also its row in the KV cache.

    Attributes:
        prompt_ids: the prompt, which the model reads first.
        state: its guide and its position in it.
        params: how tokens are chosen, and ``max_tokens`` and ``stop``.
        ids: the answer so far.
        logprobs: one for each id; None for a token that the model didn't choose.
        computed: how many tokens of prompt and answer the model has read, and so has in its KV cache.
        finish_reason: ``"stop"`` or ``"length"``; None as long as it continues.
        generator: its own random numbers, for lab 09's ``sample_token``.

    >>> stream = Stream([5, 6], None, SamplingParams(max_tokens=4), ids=[7, 8], computed=3)
    >>> stream.token_ids, stream.pending, stream.remaining
    ([5, 6, 7, 8], [8], 2)
    """

    prompt_ids: list[int]
    state: StructuredOutputState
    params: SamplingParams = field(default_factory=SamplingParams)
    ids: list[int] = field(default_factory=list)
    logprobs: list[float | None] = field(default_factory=list)
    computed: int = 0
    finish_reason: str | None = None

    def __post_init__(self) -> None:
        self.generator = np.random.default_rng(self.params.seed)

    @property
    def token_ids(self) -> list[int]:
        """The prompt and the answer so far."""
        return [*self.prompt_ids, *self.ids]

    @property
    def pending(self) -> list[int]:
        """The tokens that the model has not read yet."""
        return self.token_ids[self.computed :]

    @property
    def remaining(self) -> int:
        """How many tokens may still be written, EOS included."""
        return self.params.max_tokens - len(self.ids)
