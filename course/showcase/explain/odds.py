"""What a model makes of a place: which tokens may come there, most likely first, and what it would have written."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.engine.receipts import receipt_of
from labkit.vocabulary import Vocabulary
from mask_engine import Guide

MOST = 8
"""How many tokens are named."""


@dataclass(frozen=True)
class Odds:
    """A model's odds at a place; probabilities are its own, before any mask.

    Attributes:
        likely: tokens that may come, the most likely first, each with its probability; None for the end of the text.
        kept: the probability of all that may come: what a mask would leave there.
        first_choice: what the model itself would write, whether it may come or not; None for the end.
    """

    likely: list[tuple[str | None, float]]
    kept: float
    first_choice: str | None


def odds_at(guide: Guide, state: Any, logits: NDArray[np.float32], vocabulary: Vocabulary) -> Odds:
    """Return a model's odds in a state after whole characters.

    Args:
        guide: over whatever vocabulary; it is asked about bytes.
        logits: ``[V]``, of the model whose vocabulary this is.

    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()  # a, ., .2, 1 and EOS; the pattern forbids the model's favourite, a
    >>> odds_at(compile_guide(toy, regex="[.]?2*"), 0, np.log(np.float32([0.5, 0.125, 0.25, 0, 0.125]) + 1e-30), toy)
    Odds(likely=[('.2', 0.25), ('.', 0.125), (None, 0.125)], kept=0.5, first_choice='a')
    """

    def text(token: int) -> str | None:
        return None if token == vocabulary.eos_id else vocabulary.token_bytes[token].decode("utf-8", "replace")

    named = [token not in vocabulary.special_ids for token in range(len(vocabulary))]
    allowed = np.array(
        [bool(may) and _may_come(guide, state, token) for may, token in zip(named, vocabulary.token_bytes, strict=True)]
    )
    allowed[vocabulary.eos_id] = guide.is_accepting(state)
    receipt = receipt_of(logits, allowed)
    shares = np.exp(logits.astype(np.float64) - logits.max())
    shares /= shares.sum()
    order = [token for token in np.argsort(-shares, kind="stable").tolist() if allowed[token]][:MOST]
    likely = [(text(token), round(float(shares[token]), 6)) for token in order]
    return Odds(likely, round(receipt.kept, 6), text(receipt.first_choice))


def _may_come(guide: Guide, state: Any, token: bytes) -> bool:
    for byte in token:
        if byte not in guide.next_bytes(state):
            return False
        state = guide.after_byte(state, byte)
    return bool(token)
