"""The model's side of a step: slots of the KV cache, and one forward pass over prompts and decoding requests."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labkit.engine.request import Request
from labkit.models import Model as RowModel

Floats = NDArray[np.float32]


class Cache(Protocol):
    """What the engine needs of a KV cache beyond handing it to the model."""

    def truncate(self, row: int, length: int) -> None:
        """Forget the tokens of a row from this length on."""


class Model(Protocol):
    """What the engine needs of a model; ``labkit.small_model.SmallModel`` is one."""

    @property
    def config(self) -> Any:
        """An object with ``vocab_size`` and ``max_positions``."""

    def new_cache(self, batch: int = 1) -> Any:
        """Return an empty cache with this many rows."""

    def forward(self, tokens: ArrayLike, cache: Any, lengths: ArrayLike | None = None) -> Floats:
        """Read new tokens, ``int[B, k]`` of which each row has ``lengths`` real ones; return ``float32[B, V]``.

        With drafts it also takes ``last``, ``int[B]``: then it returns ``float32[sum(last), V]``, the logits after so
        many of each row's last tokens, row by row.
        """


class ModelRunner:
    """Owns the KV cache: a row for each request that runs.

    Args:
        model: what reads the tokens.
        max_num_seqs: the number of rows.
        batch_invariant: give each request a pass of its own. A matrix product of another height may round
            differently, so the logits of a row in a batch differ from those alone in the last bits (at most about
            1e-5 with the small model), and a token may differ where that decides. With this they are equal bit for
            bit, if prompts are read whole; a batch of 32 then costs 32 passes.
    """

    def __init__(self, model: Model, max_num_seqs: int, batch_invariant: bool = False) -> None:
        self.model = model
        self.batch_invariant = batch_invariant
        self.cache: Cache = model.new_cache(max_num_seqs)
        self.num_slots = max_num_seqs
        self.free_slots = set(range(max_num_seqs))

    def deallocate(self, request: Request) -> None:
        """Take the row of a request back and forget what it holds, if it has one."""
        if request.slot is not None:
            self.cache.truncate(request.slot, 0)
            self.free_slots.add(request.slot)
            request.slot = None

    def rewind(self, request: Request, output_token_ids: Sequence[int]) -> None:
        """Continue a request with other tokens after its prompt. What they share with its own isn't read again."""
        old, new = request.token_ids, [*request.prompt_token_ids, *output_token_ids]
        shared = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        # The last token is read in any case: its logits are what the request waits for.
        self.forget(request, min(request.num_computed_tokens, shared, len(new) - 1))
        request.output_token_ids = [*output_token_ids]

    def forget(self, request: Request, length: int) -> None:
        """Keep in the cache only so many tokens of a request."""
        request.num_computed_tokens = length
        if request.slot is not None:
            self.cache.truncate(request.slot, length)

    def execute(self, scheduled: Mapping[Request, int]) -> Floats:
        """Let the model read tokens of each request.

        Args:
            scheduled: how many tokens of each request.

        Returns:
            ``float32[len(scheduled), V]``: the logits after each request's last token. A request with a draft has a
            row for each of its masks instead: those after its last token, and after each drafted one that is read.
        """
        if self.batch_invariant:
            return np.concatenate([self._forward({request: count}) for request, count in scheduled.items()])
        return self._forward(scheduled)

    def _forward(self, scheduled: Mapping[Request, int]) -> Floats:
        lengths = np.zeros(self.num_slots, np.intp)
        tokens = np.zeros((self.num_slots, max(scheduled.values())), np.intp)
        for request, count in scheduled.items():
            if request.slot is None:  # its first step
                request.slot = min(self.free_slots)
                self.free_slots.remove(request.slot)
            done = request.num_computed_tokens
            lengths[request.slot] = count
            unread = request.token_ids if request.draft is None else [*request.token_ids, *request.draft.read]
            tokens[request.slot, :count] = unread[done : done + count]
        slots = np.array([request.slot for request in scheduled])
        wanted = [1 if request.draft is None else len(request.draft.masks) for request in scheduled]
        if max(wanted) == 1:
            places, logits = slots, self.model.forward(tokens, self.cache, lengths)
        else:
            last = np.zeros(self.num_slots, np.intp)
            last[slots] = wanted
            logits = self.model.forward(tokens, self.cache, lengths, last=last)  # type: ignore[call-arg]
            ends = last.cumsum()
            places = np.concatenate([np.arange(ends[slot] - last[slot], ends[slot]) for slot in slots])
        for request, count in scheduled.items():
            request.num_computed_tokens += count
        rows: Floats = logits[places]
        return rows


class ScriptedCache(list[list[int]]):
    """The memory of a scripted model: the ids of each row."""

    def truncate(self, row: int, length: int) -> None:
        """Forget the ids of a row from this length on."""
        del self[row][length:]


class ScriptedModel:
    """A model of ``labkit.models`` as the engine wants one: scripted, so that a test knows what comes.

    Args:
        row_model: token ids so far, the prompt included, to ``float32[V]``.
        vocab_size: V.
        max_positions: the longest context, in tokens.

    Attributes:
        num_passes: how often ``forward`` was called.

    >>> from labkit.models import uniform
    >>> model = ScriptedModel(uniform(4), vocab_size=4)
    >>> model.forward([[1, 2], [3, 0]], model.new_cache(2), [2, 1]).shape, model.num_passes
    ((2, 4), 1)
    """

    def __init__(self, row_model: RowModel, vocab_size: int, max_positions: int = 1024) -> None:
        self.config = self
        self.vocab_size = vocab_size
        self.max_positions = max_positions
        self.num_passes = 0
        self._row_model = row_model

    def new_cache(self, batch: int = 1) -> ScriptedCache:
        """Return a cache of empty rows."""
        return ScriptedCache([] for _ in range(batch))

    def forward(
        self,
        tokens: ArrayLike,
        cache: ScriptedCache,
        lengths: ArrayLike | None = None,
        last: ArrayLike | None = None,
    ) -> Floats:
        """Return the logits after each row's last token; NaN for a row that has none in this pass.

        With ``last``, return those after so many of each row's last tokens instead, row by row.
        """
        self.num_passes += 1
        given: NDArray[np.intp] = np.asarray(tokens)
        counts: NDArray[np.intp] = np.full(len(given), given.shape[1]) if lengths is None else np.asarray(lengths)
        wanted: NDArray[np.intp] = np.minimum(counts, 1) if last is None else np.asarray(last)
        logits = [np.full(self.vocab_size, np.nan, np.float32)] * len(given) if last is None else []
        for row, count in enumerate(counts):
            cache[row].extend(given[row, :count].tolist())
            ends = range(len(cache[row]) - wanted[row] + 1, len(cache[row]) + 1)
            scored = [self._row_model(cache[row][:end]) for end in ends]
            if last is not None:
                logits += scored
            elif scored:
                logits[row] = scored[0]
        return np.array(logits, np.float32)
