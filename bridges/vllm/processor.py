"""The course's masks as a logits processor of vLLM."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from vllm import SamplingParams
from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm.tokenizers import cached_tokenizer_from_config
from vllm.v1.sample.logits_processor.builtin import process_dict_updates
from vllm.v1.sample.logits_processor.interface import BatchUpdate, LogitsProcessor

from bridges.hf.vocabulary import vocabulary_of
from bridges.vllm.masks import Masks, asked_for, check
from labkit.engine import Request
from labkit.engine import SamplingParams as OurParams
from labkit.errors import NoLegalToken
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager

logger = init_logger("vllm.bridges.mask")

NOT_BESIDE = ("structured_outputs", "allowed_token_ids", "bad_words", "min_tokens")
"""What may forbid the tokens that a mask leaves, so that none is left."""

FREE = Request("", (0,), OurParams())
"""In the row of a request without a mask."""


@dataclass(eq=False)
class Masked:
    """A request in the batch that has a mask: lab 09's request, and what vLLM has written for it.

    Attributes:
        written: vLLM's own list of the answer's ids, which grows.
        error: why it can't go on; then only EOS may come.
    """

    manager: StructuredOutputManager | None
    request: Request
    written: Sequence[int]
    error: Exception | None = None


class MaskLogitsProcessor(LogitsProcessor):  # type: ignore[misc]
    """Masks the rows of a batch whose requests have a ``mask`` in their ``extra_args``; the others stay as they are.

    vLLM makes one in each worker, tells it in ``update_state`` who has come, gone or moved, and calls ``apply`` after
    each pass. The masks are those of lab 09's manager. An answer ends in time for the request's ``max_tokens``.

    A request that is preempted leaves the batch, and comes back with what it has written so far: its state is walked
    again from the start.
    """

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        """Refuse a mask that can't be compiled, before the request gets to the engine.

        Raises:
            ValueError: with our own message; over HTTP that's status 400.
        """
        asked = asked_for(sampling_params.extra_args)
        if asked is None:
            return
        if beside := [name for name in NOT_BESIDE if getattr(sampling_params, name)]:
            raise ValueError(f"mask: with {beside[0]} beside it, no token might be left; ask for one of the two")
        check(asked)

    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._masks = Masks(vocabulary_of(cached_tokenizer_from_config(vllm_config.model_config)))
        self._most = vllm_config.model_config.max_model_len
        self._rows: dict[int, Masked] = {}

    def is_argmax_invariant(self) -> bool:
        """Return False: the likeliest token may be forbidden."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Take note of the requests that have come, gone or moved within the batch."""
        process_dict_updates(self._rows, batch_update, self._begin)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the logits, with minus infinity for tokens that may not come next, changed in place.

        Args:
            logits: ``float32[batch, width]``, where the width is the vocabulary's size or more.
        """
        if not self._rows:
            return logits
        host = logits.numpy() if logits.is_cpu else logits.cpu().numpy()
        for masked in self._rows.values():
            self._catch_up(masked)
        vocab_size = len(self._masks.vocabulary)
        with self._masks.lock:
            for manager in {masked.manager for masked in self._rows.values() if masked.manager}:
                self._mask(manager, host[:, :vocab_size])
        host[list(self._rows), vocab_size:] = -np.inf
        self._end_without_a_token(host)
        return logits if logits.is_cpu else logits.copy_(torch.from_numpy(host))

    def _begin(self, params: SamplingParams, prompt: list[int] | None, written: list[int]) -> Masked | None:
        asked = asked_for(params.extra_args)
        if asked is None or asked.get("type") == "text":
            return None
        try:
            manager, request = self._masks.begin(asked, params.max_tokens or self._most)
        except Exception as error:
            return self._failed(Masked(None, FREE, written), error)
        return Masked(manager, request, written)

    def _catch_up(self, masked: Masked) -> None:
        """Move the request's state over what was written since the last step."""
        ids, manager = masked.request.output_token_ids, masked.manager
        if masked.error or manager is None:
            return
        try:
            for token_id in masked.written[len(ids) :]:
                if token_id < 0:
                    raise ValueError("vLLM hasn't said which token it wrote: name the processor on the command line")
                with self._masks.lock:
                    manager.advance(masked.request, token_id)
                ids.append(token_id)
        except Exception as error:
            self._failed(masked, error)

    def _mask(self, manager: StructuredOutputManager, logits: NDArray[np.float32]) -> None:
        mine = {row: each for row, each in self._rows.items() if each.manager is manager and not each.error}
        rows = [mine[row].request if row in mine else FREE for row in range(len(logits))]
        try:
            manager.mask(rows, logits)
        except Exception:  # one of them can't be answered, and the others must go on
            for row, masked in mine.items():
                try:
                    manager.mask([masked.request], logits[row : row + 1])
                except Exception as error:
                    self._failed(masked, error)

    def _end_without_a_token(self, host: NDArray[np.float32]) -> None:
        """Leave EOS to those that have no other token: they have failed, or go on after EOS."""
        for row, masked in self._rows.items():
            if masked.error or np.isneginf(host[row].max()):
                if not masked.error and self._masks.vocabulary.eos_id not in masked.written:
                    state = masked.request.structured_output_state.current
                    self._failed(masked, NoLegalToken(state, self._masks.vocabulary.decode(masked.written)))
                host[row] = -np.inf
                host[row, self._masks.vocabulary.eos_id] = 0

    def _failed(self, masked: Masked, error: Exception) -> Masked:
        """Note that a request can't go on. A processor can't fail one, so it ends, and the log says why."""
        masked.error = error
        logger.error("a masked answer ends before it's whole: %s", error)
        return masked
