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
    """Keeps what ``generate`` writes to the constraints of its requests.

    ``generate`` calls it before temperature, top-k and top-p. No generation leaves anything after in it that another
    one could notice: the same object may serve the next batch of prompts of the same length.

    Args:
        vocabulary: the tokens' bytes and EOS.
        constraints: for each request a guide of ``labs.assembled``, `bridges.hf.lab_04.MaskRows`, or None where it may
            write anything. A single one is for all.
        prompt_length: how many ids stand before the answers, padding included: ``input_ids.shape[1]`` of the prompts.
        max_new_tokens: what ``generate`` gets under this name, for masks that keep enough of it to finish; None for
            masks that do not look at it.
        beams: whether ``generate`` searches with beams: a row in which nothing is legal is then lost, and without an
            error. Where a search has fewer answers than it is asked for, transformers fills up with rows that are none;
            their scores lie hundreds of millions below 0.
        mask_logits: the function that masks a row, yours of lab 04, called with NumPy arrays; None for PyTorch's.

    >>> toy = Vocabulary.toy()  # a . .2 1, and EOS
    >>> from labs.assembled import compile_guide
    >>> processor = MaskLogitsProcessor(toy, [compile_guide(toy, regex="1+")], prompt_length=0)
    >>> processor(torch.tensor([[3]]), torch.zeros(1, 5))
    tensor([[-inf, -inf, -inf, 0., 0.]])
    """

    supports_continuous_batching = False
    """There rows come and go, and no row says whose it is."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraints: Sequence[Constraint | None],
        prompt_length: int,
        *,
        max_new_tokens: int | None = None,
        beams: bool = False,
        mask_logits: MaskLogits | None = None,
    ) -> None:
        self._rows = Rows(vocabulary, constraints, prompt_length, max_new_tokens, beams)
        self._mask_logits = mask_logits

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The scores, with -inf where a token may not come.

        Args:
            input_ids: ``int64[rows, length]``.
            scores: ``float[rows, width]``, which stay as they are.

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
        """One row through the function of lab 04, which refuses a row that allows nothing: a lost beam has one."""
        if self._mask_logits is None or not legal.any():
            return np.full_like(logits, -np.inf)
        masked = np.asarray(self._mask_logits(logits.copy(), legal))
        if masked.shape != logits.shape:
            raise ValueError(f"mask_logits has to give logits of shape {logits.shape}; it gave {masked.shape}")
        return masked
