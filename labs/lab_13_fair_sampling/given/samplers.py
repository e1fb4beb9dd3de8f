"""The four samplers under one name each, on a guide and any model: what the engine, the bridge and the table call."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model
from labs.lab_13_fair_sampling import solution as lab

NAMES = ("masked", "rejection", "smc", "adaptive")

PARTICLES, ATTEMPTS = 16, 50
"""Particles of a text by SMC, and attempts of a text by rejection."""


class Guide(Protocol):
    """What is asked of a guide of ``labs.assembled``."""

    @property
    def initial(self) -> Any:
        """The state before the first token."""

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next as a bitmask."""

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token."""


class Allowed:
    """``allowed(ids)`` of a guide, within a budget; prefixes may come in any order.

    Args:
        n_tokens: V.
        budget: the most tokens of a text, EOS included.

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.assembled import compile_guide
    >>> allowed = Allowed(compile_guide(Vocabulary.toy(), regex="1*"), 5, budget=2)
    >>> allowed([]).tolist(), allowed([3]).tolist()  # token 3 is "1", and 4 is EOS
    ([False, False, False, True, True], [False, False, False, False, True])
    """

    def __init__(self, guide: Guide, n_tokens: int, budget: int) -> None:
        self._guide, self._n_tokens, self._budget = guide, n_tokens, budget
        self._states: dict[tuple[int, ...], Any] = {(): guide.initial}
        self._masks: dict[tuple[int, ...], NDArray[np.bool_]] = {}

    def __call__(self, ids: Sequence[int]) -> NDArray[np.bool_]:
        """Return ``bool[V]``, which is computed once for each prefix."""
        key = tuple(ids)
        if key not in self._masks:
            for n in range(1, len(key) + 1):
                if key[:n] not in self._states:
                    self._states[key[:n]] = self._guide.advance(self._states[key[: n - 1]], key[n - 1])
            row = self._guide.mask(self._states[key], self._budget - len(key))
            bits = np.unpackbits(row.view(np.uint8), bitorder="little", count=self._n_tokens)
            self._masks[key] = bits.view(np.bool_)
        return self._masks[key]


def write(
    name: str,
    model: Model,
    allowed: lab.Allowed,
    eos_id: int,
    draw: Callable[[], float],
    memory: MutableMapping[tuple[int, ...], float],
) -> list[int] | None:
    """Write one text by the sampler of this name.

    Args:
        memory: what the adaptive sampler remembers; it is updated. The others leave it as it is.

    Returns:
        The ids, EOS included; None where it found no legal text.

    >>> write("rejection", lambda ids: np.zeros(2), lambda ids: np.array([not ids, bool(ids)]), 1, lambda: 0.9, {})
    """
    if name == "rejection":
        return lab.rejection_sample(model, allowed, eos_id, draw, ATTEMPTS)
    if name == "smc":
        return lab.pick(lab.smc_sample(model, allowed, eos_id, PARTICLES, draw), draw())
    if name == "masked":
        ids = lab.masked_sample(model, allowed, eos_id, draw)[0]
    else:
        ids, learned = lab.adaptive_sample(model, allowed, eos_id, memory, draw)
        # Another text may have learned more meanwhile. All weights are upper bounds, so the lower one is closer.
        memory.update({prefix: min(weight, memory.get(prefix, 0.0)) for prefix, weight in learned.items()})
    return ids if ids[-1:] == [eos_id] else None
