"""A request to the engine: what was asked, how far it is, and what came out of a step."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labkit.engine.detokenizer import Detokenizer
from labkit.engine.receipts import Receipt

FinishReason = Literal["stop", "length", "abort", "error"]

SAMPLERS = ("masked", "rejection", "smc", "adaptive")
"""How an answer under a constraint is drawn: the first is the engine's own, the others are lab 13's."""

TextSampler = Generator[Sequence[int], NDArray[np.float32], Sequence[int]]
"""A sampler of whole texts: it yields ids to read after the prompt, is sent the logits after them, returns a text."""


class RequestStatus(Enum):
    """Where a request is: in the queue, in the batch, or done."""

    WAITING = 1
    RUNNING = 2
    FINISHED = 3


@dataclass(frozen=True)
class SamplingParams:
    """How the tokens of one request are chosen, and where it stops; the names are vLLM's.

    Args:
        max_tokens: the most tokens that may be written, EOS included.
        temperature: divides the logits; at 0 the most likely token is taken.
        top_k: how many of the most likely tokens are kept; 0 for all.
        top_p: keeps the fewest most likely tokens whose probabilities add up to this.
        min_p: keeps tokens that are at least this times as likely as the most likely one.
        repetition_penalty: above 1, tokens of the prompt and of the answer so far become less likely.
        frequency_penalty: is taken from a token's logit as often as the answer so far has the token.
        presence_penalty: is taken from the logit of each token that the answer so far has.
        logit_bias: is added to the logits of these ids; a token that the mask forbids stays forbidden.
        seed: of this request's own random numbers; None for a different one each time.
        stop: strings that end the answer, which does not include them.
        stop_token_ids: token ids that end the answer, whose text does not include them.
        logprobs: how many of the most likely tokens to report at each step; None for no logprobs.
        sampler: ``"masked"`` chooses token by token; the others of ``SAMPLERS`` (lab 13) draw a whole text by the
            model's own probabilities, before any of it is sent.

    Raises:
        ValueError: if a number lies outside its range, a stop string is empty, or a setting means nothing to the
            sampler: those that change the model's probabilities, but for the temperature, and ``logprobs``.

    >>> SamplingParams(top_p=0)
    Traceback (most recent call last):
    ValueError: top_p must be above 0 and at most 1, not 0
    """

    max_tokens: int = 16
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    seed: int | None = None
    stop: tuple[str, ...] = ()
    stop_token_ids: tuple[int, ...] = ()
    logprobs: int | None = None
    sampler: str = "masked"

    def __post_init__(self) -> None:
        # Written so that NaN is refused too.
        rules = {
            "max_tokens": (self.max_tokens >= 1, "at least 1"),
            "temperature": (0 <= self.temperature < np.inf, "0 or more"),
            "top_k": (self.top_k >= 0, "0 or more"),
            "top_p": (0 < self.top_p <= 1, "above 0 and at most 1"),
            "min_p": (0 <= self.min_p <= 1, "0 to 1"),
            "repetition_penalty": (0.01 <= self.repetition_penalty <= 100, "0.01 to 100"),
            "frequency_penalty": (-2 <= self.frequency_penalty <= 2, "-2 to 2"),
            "presence_penalty": (-2 <= self.presence_penalty <= 2, "-2 to 2"),
            "logit_bias": (all(-100 <= bias <= 100 for bias in self.logit_bias.values()), "of values from -100 to 100"),
            "seed": (self.seed is None or self.seed >= 0, "0 or more"),
            "stop": (isinstance(self.stop, tuple) and all(self.stop), "a tuple of strings that are not empty"),
            "logprobs": (self.logprobs is None or self.logprobs >= 0, "0 or more"),
            "sampler": (self.sampler in SAMPLERS, f"one of {', '.join(SAMPLERS)}"),
        }
        if self.sampler in SAMPLERS[1:]:
            said = f"with the sampler {self.sampler}"
            rules |= {
                "temperature": (0 < self.temperature < np.inf, f"above 0 {said}"),
                "top_k": (self.top_k == 0, f"0 {said}"),
                "top_p": (self.top_p == 1, f"1 {said}"),
                "min_p": (self.min_p == 0, f"0 {said}"),
                "repetition_penalty": (self.repetition_penalty == 1, f"1 {said}"),
                "frequency_penalty": (self.frequency_penalty == 0, f"0 {said}"),
                "presence_penalty": (self.presence_penalty == 0, f"0 {said}"),
                "logit_bias": (not self.logit_bias, f"empty {said}"),
                "logprobs": (self.logprobs is None, f"None {said}"),
            }
        for name, (good, range_) in rules.items():
            if not good:
                raise ValueError(f"{name} must be {range_}, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class Draft:
    """Tokens that were written cheaply for a request, for the model to read all at once (lab 14).

    Attributes:
        token_ids: n of them, legal or not.
        q_rows: ``float64[n, V]``: the probabilities that they were drawn from.
        masks: ``bool[m, V]``, m from 1 to n + 1: what may come in the place of each token, and after the last. There is
            none after an illegal token, nor after EOS.

    >>> Draft([3, 4], np.zeros((2, 5)), np.ones((2, 5), np.bool_)).read  # no mask after token 4: it is illegal, or EOS
    [3]
    """

    token_ids: Sequence[int]
    q_rows: NDArray[np.float64]
    masks: NDArray[np.bool_]

    @property
    def read(self) -> Sequence[int]:
        """The tokens that the model reads: those that have a mask after them."""
        return self.token_ids[: len(self.masks) - 1]


@dataclass(eq=False)
class Request:
    """One request, from its arrival to its last token.

    Attributes:
        request_id: its name in the engine.
        prompt_token_ids: the ids that the model reads first.
        sampling_params: how its tokens are chosen.
        response_format: the constraint that was asked for, or None. The engine never looks inside.
        structured_output_state: whatever the constraint keeps for this request; the engine never looks at it.
        output_token_ids: what was written so far, EOS included.
        draft: what the next pass reads after these, to keep or to forget; None without one.
        num_computed_tokens: how many tokens of prompt, answer and draft are in the KV cache.
        num_put_off: how many steps in a row it has sat out, because its mask takes more than one call.
        slot: the row of the KV cache that it owns while it runs.
        finish_reason: ``"stop"``, ``"length"``, ``"abort"`` or ``"error"``; None until it has finished.
        stop_reason: the stop string or stop id that ended it; None for EOS and for everything else.
        error: why it failed.
        text_sampler: what draws its text, unless it is masked; until it has ended, ``output_token_ids`` are the ids
            about which the sampler asks.

    >>> request = Request("a", (5, 6, 7), SamplingParams(max_tokens=4))
    >>> request.output_token_ids.append(8)
    >>> request.num_pending, request.remaining  # nothing is read yet; one of four is written
    (4, 3)
    """

    request_id: str
    prompt_token_ids: tuple[int, ...]
    sampling_params: SamplingParams
    response_format: Any = None
    structured_output_state: Any = field(default=None, repr=False)
    output_token_ids: list[int] = field(default_factory=list)
    draft: Draft | None = field(default=None, repr=False)
    status: RequestStatus = RequestStatus.WAITING
    num_computed_tokens: int = 0
    num_put_off: int = 0
    slot: int | None = None
    finish_reason: FinishReason | None = None
    stop_reason: str | int | None = None
    error: Exception | None = None
    text_sampler: TextSampler | None = field(default=None, repr=False)
    generator: np.random.Generator = field(init=False, repr=False)
    detokenizer: Detokenizer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.generator = np.random.default_rng(self.sampling_params.seed)
        self.detokenizer = Detokenizer(self.sampling_params.stop)

    @property
    def token_ids(self) -> list[int]:
        """The prompt and the answer so far."""
        return [*self.prompt_token_ids, *self.output_token_ids]

    @property
    def num_pending(self) -> int:
        """How many of its tokens the model has not read yet: 1 while it decodes, and those of a draft."""
        drafted = 0 if self.draft is None else len(self.draft.read)
        return len(self.prompt_token_ids) + len(self.output_token_ids) + drafted - self.num_computed_tokens

    @property
    def remaining(self) -> int:
        """How many tokens it may still write, EOS included: the budget of lab 05."""
        return self.sampling_params.max_tokens - len(self.output_token_ids)


@dataclass(frozen=True)
class Logprob:
    """The natural logarithm of a token's probability, and those of the most likely tokens.

    Probabilities are the model's own, before mask, penalties and temperature. (vLLM's ``raw_logprobs`` come after
    its mask.)

    Attributes:
        token_id: the token that was chosen.
        logprob: its own.
        top: ids and logprobs of the most likely tokens, from the top; the chosen one may be missing.
        receipt: what the mask took, where there was one.
    """

    token_id: int
    logprob: float
    top: tuple[tuple[int, float], ...] = ()
    receipt: Receipt | None = None


@dataclass(frozen=True)
class RequestOutput:
    """A token of one request, or its end. A step has one for each token, in order: several after a jump or a draft.

    Attributes:
        token_id: the new token, EOS included; None if the request failed.
        text: new text. It may lag behind the tokens: half a character, or what may become a stop string, is held
            back until it is decided.
        logprob: of the token, if the request asked for it and the model chose it; None for one that a jump appended.
        finish_reason, stop_reason, error: see ``Request``.
        warnings: what a client of the server is told beside its answer.
        drafted: how many tokens of a draft were in the pass that gave this token, which is its first; an illegal one
            and EOS count, though the model does not read them.
        accepted: whether the token comes from the draft.
    """

    request_id: str
    token_id: int | None = None
    text: str = ""
    logprob: Logprob | None = None
    finish_reason: FinishReason | None = None
    stop_reason: str | int | None = None
    error: Exception | None = None
    warnings: tuple[str, ...] = ()
    drafted: int = 0
    accepted: bool = False
