"""The four samplers under one name each, on a guide and any model: what the engine, the bridge and the table call."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model
from labs.lab_13_fair_sampling import solution as lab

NAMES = ("masked", "rejection", "smc", "adaptive")

PARTICLES, ATTEMPTS = 16, 50
"""How many particles SMC has for a text, and how many attempts rejection may make."""

KEPT = 1024
"""Masks and logits are kept for so many prefixes, the newest: texts may be long, and there may be many requests."""

T = TypeVar("T")


class MaskSource(Protocol):
    """The part of a guide of ``mask_engine`` that a sampler needs; the bridge's constraints have it too."""

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
    >>> from mask_engine import compile_guide
    >>> allowed = Allowed(compile_guide(Vocabulary.toy(), regex="1*"), 5, budget=2)
    >>> allowed([]).tolist(), allowed([3]).tolist()  # token 3 is "1", and 4 is EOS
    ([False, False, False, True, True], [False, False, False, False, True])
    """

    def __init__(self, guide: MaskSource, n_tokens: int, budget: int) -> None:
        self._guide, self._n_tokens, self._budget = guide, n_tokens, budget
        self._known: dict[tuple[int, ...], tuple[Any, NDArray[np.bool_]]] = {}

    def __call__(self, ids: Sequence[int]) -> NDArray[np.bool_]:
        """Return ``bool[V]``, from the longest prefix that is known."""
        key = tuple(ids)
        if key not in self._known:
            shared = next((n for n in range(len(key), 0, -1) if key[:n] in self._known), 0)
            state = self._known[key[:shared]][0] if shared else self._guide.initial
            for token_id in key[shared:]:
                state = self._guide.advance(state, token_id)
            row = self._guide.mask(state, self._budget - len(key))
            bits = np.unpackbits(row.view(np.uint8), bitorder="little", count=self._n_tokens)
            keep(self._known, key, (state, bits.view(np.bool_)))
        return self._known[key][1]


def keep(known: dict[tuple[int, ...], T], key: tuple[int, ...], value: T) -> None:
    """Remember something of a prefix, and forget the oldest if there are too many.

    >>> known = {(n,): n for n in range(KEPT)}
    >>> keep(known, (), 7)
    >>> len(known) == KEPT, (0,) in known, known[()]
    (True, False, 7)
    """
    known[key] = value
    if len(known) > KEPT:
        del known[next(iter(known))]


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
