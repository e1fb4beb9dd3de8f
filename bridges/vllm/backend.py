"""The course's masks as a backend of vLLM's structured outputs, and the seam by which vLLM finds it.

vLLM has a list of backends, and no way to add one. But it looks each of them up by its name, when it's first needed
(`StructuredOutputManager.grammar_init` in `vllm/v1/structured_output/__init__.py`), and imports its class only then.
So a plugin, which vLLM loads in every process before that, puts our class in the place of one of theirs:
``lm-format-enforcer``. None of vLLM's files is changed, and its other backends stay as they are.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from vllm import SamplingParams
from vllm.exceptions import VLLMValidationError
from vllm.v1.structured_output import backend_lm_format_enforcer as seam
from vllm.v1.structured_output.backend_types import (
    StructuredOutputBackend,
    StructuredOutputGrammar,
    StructuredOutputOptions,
)

from bridges.hf.vocabulary import vocabulary_of
from bridges.vllm.masks import Masks, asked_for, check
from labkit.errors import TokenNotAllowed
from labs.lab_09_inside_an_engine.solution import StructuredOutputState, advance_state
from mask_engine import FINISHED

NAME = "lm-format-enforcer"
"""What to ask vLLM for, to get our backend."""


def register() -> None:
    """Put our backend in the place of ``lm-format-enforcer``: vLLM's plugin, found by its entry point."""
    seam.LMFormatEnforcerBackend = MaskBackend
    seam.validate_structured_output_request_lm_format_enforcer = validate
    if SamplingParams._validate_spec_decode is not refuse_a_lost_mask:
        SamplingParams._validate_spec_decode = refuse_a_lost_mask


_theirs = SamplingParams._validate_spec_decode


def refuse_a_lost_mask(params: SamplingParams, speculative_config: Any) -> None:
    """Refuse a ``mask`` where vLLM drafts: it then leaves out our logits processor, and says so only in its log.

    Raises:
        VLLMValidationError: whose message says what to ask for instead.
    """
    _theirs(params, speculative_config)
    if speculative_config is not None and asked_for(params.extra_args) is not None:
        raise VLLMValidationError(
            "mask: vLLM leaves logits processors out while it drafts; ask for structured_outputs instead, which work"
        )


def asked_in(params: SamplingParams) -> dict[str, Any]:
    """Return what a request's ``structured_outputs`` asks for, in the words of lab 09's ``response_format``.

    A grammar that begins with ``{`` is such a ``response_format`` already, and may ask for tools.

    Raises:
        ValueError: for what has no such words.
    """
    theirs = params.structured_outputs
    if theirs.structural_tag is not None or theirs.whitespace_pattern is not None:
        raise ValueError("structured_outputs: structural_tag and whitespace_pattern aren't known to this backend")
    if theirs.json_object:
        return {"type": "json_object"}
    if theirs.json is not None:
        schema = json.loads(theirs.json) if isinstance(theirs.json, str) else theirs.json
        whitespace = "compact" if theirs.disable_any_whitespace else "flexible"
        return {"type": "json_schema", "json_schema": {"schema": schema, "whitespace": whitespace}}
    if theirs.regex is not None:
        return {"type": "regex", "pattern": theirs.regex}
    if theirs.choice is not None:
        return {"type": "choice", "choices": list(theirs.choice)}
    if theirs.grammar.lstrip().startswith("{"):
        read: dict[str, Any] = json.loads(theirs.grammar)
        asked: dict[str, Any] = read.get("asked", read)  # one that has been here before is wrapped
        return asked
    return {"type": "grammar", "grammar": theirs.grammar}


def validate(params: SamplingParams) -> None:
    """Refuse what can't be compiled, and write down the budget: vLLM tells a backend only what is asked for.

    Raises:
        VLLMValidationError: with our own message; over HTTP that's status 400.
    """
    if params.structured_outputs is None:
        return
    try:
        asked = asked_in(params)
        check(asked)
    except ValueError as error:
        raise VLLMValidationError(str(error)) from error
    theirs = params.structured_outputs
    theirs.json = theirs.json_object = theirs.regex = theirs.choice = None
    theirs.grammar = json.dumps({"asked": asked, "max_tokens": params.max_tokens})


@dataclass
class MaskBackend(StructuredOutputBackend):  # type: ignore[misc]
    """Compiles what requests ask for; vLLM makes one in each engine process, and calls it from several threads."""

    def __post_init__(self) -> None:
        self._masks = Masks(vocabulary_of(self.tokenizer))

    def compile_grammar(
        self, request_type: StructuredOutputOptions, grammar_spec: str, stop_token_ids: set[int] | None = None
    ) -> "MaskGrammar":
        """Return the grammar of one request. The guide behind it comes from lab 09's cache.

        Raises:
            ValueError: if no answer fits into the request's tokens. It ends that request alone.
        """
        spec, most = json.loads(grammar_spec), self.vllm_config.model_config.max_model_len
        thinks = self.vllm_config.structured_outputs_config.reasoning_parser
        # How many tokens a model thinks isn't said, so after that nobody knows what remains.
        max_tokens = most if thinks else spec["max_tokens"] or most
        _, request = self._masks.begin(spec["asked"], max_tokens)
        return MaskGrammar(self._masks, request.structured_output_state, max_tokens, stop_token_ids or set())

    def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
        """Return ``int32[max_num_seqs, ceil(width / 32)]``, with every bit set."""
        return torch.full((max_num_seqs, -(-self.vocab_size // 32)), -1, dtype=torch.int32)

    def destroy(self) -> None:
        """Do nothing: whatever there is goes with the object."""


class MaskGrammar(StructuredOutputGrammar):  # type: ignore[misc]
    """One request's way through its guide.

    A guide's states are values, so the way is a list of them. To go back is to drop the last ones, and to look ahead
    is to walk without keeping any.

    Args:
        masks: whose lock a guide needs.
        state: of lab 09, at the start.
        max_tokens: how many tokens the answer may have, EOS included.
        stop_token_ids: end an answer, as EOS does; they are allowed where EOS is, and nowhere else.
    """

    def __init__(self, masks: Masks, state: StructuredOutputState, max_tokens: int, stop_token_ids: set[int]) -> None:
        self._masks, self._guide, self._max_tokens = masks, state.guide, max_tokens
        self._eos_id = masks.vocabulary.eos_id
        self._stops = stop_token_ids - {self._eos_id}
        self._way = [state.current]
        self._error: Exception | None = None

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Move over tokens; return False, and stay, if one of them isn't allowed. After the end they don't count."""
        state, way = StructuredOutputState(self._guide, self._way[-1]), list[Any]()
        with self._masks.lock:
            for token_id in tokens:
                if state.current == FINISHED:
                    break
                try:
                    advance_state(state, self._read_as(token_id))
                except TokenNotAllowed:
                    return False
                way.append(state.current)
        self._way += way
        return self._error is None

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """Return the longest start of these tokens that may come, in the tokens that remain."""
        state = self._way[-1]
        with self._masks.lock:
            for place, token_id in enumerate(tokens):
                if state == FINISHED or not self._allows(state, token_id, self._remaining - place):
                    return tokens[:place]
                state = self._guide.advance(state, self._read_as(token_id))
        return tokens

    def rollback(self, num_tokens: int) -> None:
        """Go back."""
        if num_tokens:
            del self._way[-num_tokens:]

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Write the mask of the next token into a row of ``int32[batch, words]``."""
        row = bitmask[batch_index].numpy()
        row[:] = 0
        n_words = -(-len(self._masks.vocabulary) // 32)
        try:
            with self._masks.lock:
                self._guide.fill([self._way[-1]], row[None, :n_words], [max(self._remaining, 1)])
            if not row.any() and not self.is_terminated():
                raise ValueError(f"no token may come after {len(self._way) - 1}")
        except Exception as error:
            self._error = error  # accept_tokens says so, and vLLM ends this request with an error
            row[:] = 0
        if self._error or self.is_terminated():
            _set(row, self._eos_id, True)
        ends = _has(row, self._eos_id)
        for token_id in self._stops:
            _set(row, token_id, ends)

    def is_terminated(self) -> bool:
        """Return whether the answer has ended, with EOS or a stop token."""
        return bool(self._way[-1] == FINISHED)

    def reset(self) -> None:
        """Begin again."""
        del self._way[1:]

    @property
    def _remaining(self) -> int:
        return self._max_tokens - len(self._way) + 1

    def _read_as(self, token_id: int) -> int:
        """Return the token for which a guide takes this one: a token that stops an answer is EOS to it."""
        return self._eos_id if token_id in self._stops else token_id

    def _allows(self, state: Any, token_id: int, remaining: int) -> bool:
        if remaining < 1 or token_id >= len(self._masks.vocabulary):
            return False
        return _has(self._guide.mask(state, remaining), self._read_as(token_id))


def _has(words: NDArray[np.int32], token_id: int) -> bool:
    return bool(words[token_id // 32] >> (token_id % 32) & 1)


def _set(row: NDArray[np.int32], token_id: int, allowed: bool) -> None:
    word, bit = row.view(np.uint32)[token_id // 32 :], np.uint32(1 << token_id % 32)
    word[0] = word[0] | bit if allowed else word[0] & ~bit
