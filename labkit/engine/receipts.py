"""Receipts: what a mask took from the model at each token, and what that comes to over an answer, in bits.

If a mask leaves the model a quarter of its probability, it costs 2 bits at that token: the logarithm of what lab 13
calls the mass, turned round. The sum is how much less likely the model is to keep to the grammar of its own accord.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

NOTICED = 0.01
"""A token counts as one at which the mask cost something from so many bits on: 0.7% of the probability. A model is
never quite sure, so a mask that forbids anything takes at least a billionth."""


@dataclass(frozen=True)
class Receipt:
    """What a mask did at one token.

    Probabilities are the model's own, as those of ``Logprob`` are: before mask, penalties and temperature, so that a
    receipt says the same at any temperature, 0 included.

    Attributes:
        bits: ``-log2`` of ``kept``, which is exact where that has become 0 as a float.
        first_choice: the model's most likely token; of equal ones the first, as the sampler takes it at temperature 0.
        first_choice_forbidden: whether the mask forbade it.
    """

    bits: float
    first_choice: int
    first_choice_forbidden: bool

    @property
    def kept(self) -> float:
        """The sum of the probabilities of the allowed tokens: 1.0 exactly if nothing was lost.

        >>> Receipt(2.0, 0, True).kept
        0.25
        """
        return float(2.0**-self.bits)


def receipt_of(logits: NDArray[np.floating], allowed: NDArray[np.bool_]) -> Receipt:
    """Return what a mask did.

    Args:
        logits: ``[V]`` of any floating type, before the mask; ``-inf`` for a token of probability 0. Not all are that.
        allowed: ``bool[V]``. Where it allows no token of a probability above 0, the cost is infinite.

    >>> found = receipt_of(np.zeros(4, np.float32), np.arange(4) >= 3)
    >>> round(found.bits, 9), found.first_choice, found.first_choice_forbidden
    (2.0, 0, True)
    >>> receipt_of(np.array([900.0, -np.inf]), np.array([True, False]))
    Receipt(bits=0.0, first_choice=0, first_choice_forbidden=False)
    """
    first = int(logits.argmax())
    # From the difference of two logarithms, and not from a sum of probabilities: that would round a cost of 1e-9 to
    # nothing, and one of 2,000 bits to infinity.
    lost = _log_mass(logits[~allowed]) - _log_mass(logits[allowed])
    return Receipt(float(np.logaddexp(0.0, lost) / log(2)), first, not allowed[first])


def _log_mass(logits: NDArray[np.floating]) -> float:
    """Return the logarithm of the sum of the exponentials, ``-inf`` where there are none."""
    scores = logits.astype(np.float64)  # the sum of 100,000 bfloat16 numbers would be off by a tenth
    most = scores.max(initial=-np.inf)
    return float(most + np.log(np.exp(scores - most).sum())) if most > -np.inf else -np.inf


@dataclass(frozen=True)
class MaskCost:
    """What a mask cost over an answer.

    Attributes:
        bits: the sum of those of its tokens.
        noticed: at how many tokens it cost at least ``NOTICED`` bits.
        tokens: how many have a receipt. Text that a jump forced without asking the model (lab 10) has none.
        first_choices_forbidden: how often the model's first choice was forbidden.
    """

    bits: float
    noticed: int
    tokens: int
    first_choices_forbidden: int

    def __str__(self) -> str:
        """Return the cost as people read it."""
        return f"the mask cost {self.bits:.1f} bits, at {self.noticed} of {self.tokens} tokens"


def total(receipts: Sequence[Receipt]) -> MaskCost:
    """Return what a mask cost over the tokens with these receipts.

    >>> print(total([Receipt(3.1, 5, True), Receipt(1e-9, 7, False), Receipt(0.0, 7, False)]))
    the mask cost 3.1 bits, at 1 of 3 tokens
    """
    return MaskCost(
        sum(each.bits for each in receipts),
        sum(each.bits >= NOTICED for each in receipts),
        len(receipts),
        sum(each.first_choice_forbidden for each in receipts),
    )
