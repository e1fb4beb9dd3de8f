"""The course's small model in a scene: a real transformer that answers a prompt."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model
from labkit.small_model import SmallModel
from labkit.small_model.tokenizer import Tokenizer


def prompted(prompt: str) -> Model:
    """Return the small model after a prompt: token ids of its answer so far to ``float32[1024]``.

    >>> logits = prompted("Hex code of violet?")([])
    >>> Tokenizer.load().vocabulary.texts()[int(logits.argmax())]
    '#'
    """
    start = Tokenizer.load().prompt(prompt)

    def logits(ids: Sequence[int]) -> NDArray[np.float32]:
        model = small_model()
        row: NDArray[np.float32] = model.forward([[*start, *ids]], model.new_cache())[0]
        return row

    return logits


@cache
def small_model(which: str = "final") -> SmallModel:
    """Return a checkpoint of the small model, ``final`` or ``early``, loaded once."""
    return SmallModel.load(which)
