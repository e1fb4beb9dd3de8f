"""A mask of the course as a logits processor of transformers."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LogitsProcessor

from bridges.hf.rows import Rows
from labkit.small_model.generation import Constraint
from labkit.vocabulary import Vocabulary

MaskLogits = Callable[[NDArray[np.floating], NDArray[np.bool_]], NDArray[np.floating]]
"""Lab 04's function: logits and one row of the mask, to logits with -inf where the row is False."""


class MaskLogitsProcessor(LogitsProcessor):  # type: ignore[misc]
    """A logits processor that holds ``generate`` to the constraints of its requests.

    ``generate`` calls it before temperature, top-k and top-p. One object may serve several batches, one after another.

    Args:
        vocabulary: the tokens' bytes and EOS: `bridges.hf.vocabulary.vocabulary_of` reads them from a tokenizer.
        constraints: a guide of ``mask_engine`` or `bridges.first_labs.Lifted`, for all requests; or for each its
            own, or None if it may write anything.
        prompt_length: how many ids precede the answers, padding included: ``input_ids.shape[1]`` of the prompts. None
            takes it from the first call of each ``generate``; a prompt that is the last call's ids and one token more
            would be taken for that call's next step.
        max_new_tokens: the same number as ``generate`` gets, for masks that keep enough of it to finish; None for
            masks that ignore the budget.
        beams: whether ``generate`` uses beam search: a row in which nothing is legal is then dropped without an
            error. If a search finds fewer answers than it is asked for, transformers fills up with invalid rows; their
            scores are hundreds of millions below 0.
        mask_logits: the function that masks a row, such as yours of lab 04, called with NumPy arrays; None for
            PyTorch's own.

    >>> toy = Vocabulary.toy()  # a . .2 1, and EOS
    >>> from mask_engine import compile_guide
    >>> processor = MaskLogitsProcessor(toy, compile_guide(toy, regex="1+"))
    >>> processor(torch.tensor([[0]]), torch.zeros(1, 5)), processor(torch.tensor([[0, 3]]), torch.zeros(1, 5))
    (tensor([[-inf, -inf, -inf, 0., -inf]]), tensor([[-inf, -inf, -inf, 0., 0.]]))
    """

    supports_continuous_batching = False
    """In continuous batching rows come and go, and nothing says which request a row belongs to."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraints: Constraint | Sequence[Constraint | None],
        prompt_length: int | None = None,
        *,
        max_new_tokens: int | None = None,
        beams: bool = False,
        mask_logits: MaskLogits | None = None,
    ) -> None:
        self._rows = Rows(vocabulary, constraints, prompt_length, max_new_tokens, beams)
        self._mask_logits = mask_logits

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores, with -inf for tokens that may not come.

        Args:
            input_ids: ``int64[rows, length]``.
            scores: ``float[rows, width]``, which are not changed.

        Raises:
            ValueError, TokenNotAllowed, NoLegalToken: see `bridges.hf.rows.Rows.allowed`.
        """
        allowed = self._rows.allowed(input_ids.cpu().numpy(), scores.shape[1])
        if self._mask_logits is None:
            return scores.masked_fill(torch.from_numpy(~allowed).to(scores.device), -torch.inf)
        logits = scores.float().cpu().numpy()
        masked = [self._by_hand(row, legal) for row, legal in zip(logits, allowed, strict=True)]
        return torch.from_numpy(np.stack(masked)).to(scores)

    def _by_hand(self, logits: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.floating]:
        """Mask one row by the function of lab 04, except in a lost beam, which allows nothing: lab 04 refuses that."""
        if self._mask_logits is None or not legal.any():
            return np.full_like(logits, -np.inf)
        masked = np.asarray(self._mask_logits(logits.copy(), legal))
        if masked.shape != logits.shape:
            raise ValueError(f"mask_logits has to give logits of shape {logits.shape}; it gave {masked.shape}")
        return masked
