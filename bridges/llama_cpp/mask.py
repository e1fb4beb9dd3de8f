"""A mask of the course as a logits processor of llama-cpp-python, which it is given to and does not import."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bridges.hf.rows import Rows
from labkit.small_model.generation import Constraint
from labkit.vocabulary import Vocabulary

MaskLogits = Callable[[NDArray[np.floating], NDArray[np.bool_]], NDArray[np.floating]]
"""Lab 04's function: logits and one row of the mask, to logits with -inf where the row is False."""


class MaskLogitsProcessor:
    """A logits processor that holds ``create_completion`` or ``generate`` to a constraint.

    llama-cpp-python calls it from inside llama.cpp, before penalties, temperature, top-k and the rest, and drops
    whatever it raises: the model would go on without a mask. So an error ends the answer, for only EOS is allowed, and
    `check` raises it: pass that as a stopping criterion.

    Args:
        vocabulary: the tokens' bytes and EOS.
        constraint: a guide of ``mask_engine``, or `bridges.hf.lab_04.MaskRows`.
        prompt_length: how many ids precede the answer.
        max_new_tokens: the ``max_tokens`` of the request, for masks that keep enough of it to finish; None for masks
            that ignore the budget.
        mask_logits: the function that masks a row, such as yours of lab 04; None for NumPy's ``where``.

    >>> toy = Vocabulary.toy()  # a . .2 1, and EOS
    >>> from mask_engine import compile_guide
    >>> processor = MaskLogitsProcessor(toy, compile_guide(toy, regex="1+"), prompt_length=0)
    >>> processor(np.array([3], np.intc), np.zeros(5, np.single)).tolist()  # after "1": another, or EOS
    [-inf, -inf, -inf, 0.0, 0.0]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraint: Constraint,
        prompt_length: int,
        *,
        max_new_tokens: int | None = None,
        mask_logits: MaskLogits | None = None,
    ) -> None:
        self._rows = Rows(vocabulary, [constraint], prompt_length, max_new_tokens)
        self._mask_logits = mask_logits or _where
        self._eos_id = vocabulary.eos_id
        self._error: Exception | None = None

    def __call__(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> NDArray[np.single]:
        """Return the logits, with -inf for tokens that may not come.

        Args:
            input_ids: ``int32[length]``: the prompt, and the answer so far.
            scores: ``float32[V]``, which are not changed.
        """
        try:
            allowed = self._rows.allowed(input_ids[None].astype(np.int64), len(scores))[0]
            masked = np.asarray(self._mask_logits(scores.copy(), allowed), np.single)
            if masked.shape != scores.shape:
                raise ValueError(f"mask_logits has to give logits of shape {scores.shape}; it gave {masked.shape}")
        except Exception as error:
            self._error = error
            masked = _where(scores, np.arange(len(scores)) == self._eos_id)
        return masked

    def check(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> bool:
        """Return False: never stop. As a stopping criterion it is called after each token, where errors are heard.

        Raises:
            ValueError, TokenNotAllowed, NoLegalToken: see `bridges.hf.rows.Rows.allowed`. Errors of ``mask_logits``.
        """
        error, self._error = self._error, None
        if error is not None:
            raise error
        return False


def _where(scores: NDArray[np.floating], allowed: NDArray[np.bool_]) -> NDArray[np.floating]:
    return np.where(allowed, scores, np.single(-np.inf))
