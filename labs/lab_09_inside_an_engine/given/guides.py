"""What a guide is, the one thing that your functions ask about a grammar; and helpers for bitmasks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.errors import TokenNotAllowed

Bitmask = NDArray[np.int32]
"""``int32[ceil(V / 32)]``: bit t % 32 of word t // 32 is token t."""

Budgets = int | Sequence[int | None] | None
"""How many tokens may still be written, EOS included: one number for all rows, or one for each; None for no limit."""


class Guide(Protocol):
    """A grammar over a vocabulary, shared by all requests that ask for it; ``mask_engine.Guide`` is one.

    A guide never changes. Each request keeps its own position in the grammar: its state.

    >>> guide: Guide = example_guide()
    >>> guide.advance(guide.initial, 2), guide.initial  # a new state; the guide itself stays as it was
    (2, 0)
    """

    @property
    def initial(self) -> Any:
        """The state before the first token."""

    def mask(self, state: Any, remaining: int | None = None) -> Bitmask:
        """Return the tokens that may come next, and EOS if the state accepts. The array is shared and read-only."""

    def fill(self, states: Sequence[Any], out: NDArray[np.int32], remaining: Budgets = None) -> None:
        """Write the mask of each state into a row of ``out``, ``int32[len(states), ceil(V / 32)]``."""

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token; raise ``TokenNotAllowed`` if it isn't allowed."""

    def is_accepting(self, state: Any) -> bool:
        """Return whether the text so far is a whole match."""

    def tokens_to_accept(self, state: Any) -> int | float:
        """Return the fewest tokens to an accepting state, EOS not counted; ``inf`` if no tokens lead to one.

        If counting would take too long, it's an upper bound. ``mask(state, remaining)`` is empty only if nothing fits.
        """


@dataclass(eq=False)
class GuideOfFunctions:
    """A guide for tests: each of its answers is a function that you pass in, so a test can count the calls.

    Args:
        initial: the state before the first token.
        mask, fill, advance, is_accepting, tokens_to_accept: see ``Guide``.

    >>> asked = []
    >>> guide = example_guide()
    >>> guide.is_accepting = asked.append
    >>> guide.is_accepting(1), asked
    (None, [1])
    """

    initial: Any
    mask: Callable[..., Bitmask]
    fill: Callable[..., None]
    advance: Callable[[Any, int], Any]
    is_accepting: Callable[[Any], bool]
    tokens_to_accept: Callable[[Any], int | float]


def example_guide() -> GuideOfFunctions:
    """Return the guide of the README's examples: ``[0-9]+x?`` over ``1``, ``x``, ``1x`` and EOS, with ids 0 to 3.

    Its states are 0 at the start, 1 after a digit, 2 after the x, and 3 after EOS.

    >>> guide = example_guide()
    >>> guide.mask(0).tolist(), guide.advance(0, 2), guide.mask(2).tolist()  # 5 is 101 in binary: tokens 0 and 2
    ([5], 2, [8])
    """
    after = [{0: 1, 2: 2}, {0: 1, 1: 2, 2: 2, 3: 3}, {3: 3}, {}]

    def mask(state: int, remaining: int | None = None) -> Bitmask:
        # One token is left for EOS alone, and two are enough for any other.
        legal = [token for token in after[state] if remaining is None or remaining > (token != 3)]
        return np.array([sum(1 << token for token in legal)], np.int32)

    def fill(states: Sequence[int], out: NDArray[np.int32], remaining: Budgets = None) -> None:
        budgets = remaining if isinstance(remaining, Sequence) else [remaining] * len(states)
        out[:] = [mask(state, budget) for state, budget in zip(states, budgets, strict=True)]

    def advance(state: int, token_id: int) -> int:
        if token_id not in after[state]:
            raise TokenNotAllowed(token_id, f"the state {state}")
        return after[state][token_id]

    return GuideOfFunctions(0, mask, fill, advance, bool, lambda state: int(state == 0))


def allowed(bitmask: NDArray[np.int32], vocab_size: int) -> NDArray[np.bool_]:
    """Return the bits of one bitmask, or of several rows of them, one boolean for each token.

    Args:
        bitmask: ``int32[..., ceil(V / 32)]``.
        vocab_size: V.

    Returns:
        ``bool[..., V]``, new.

    >>> allowed(np.array([[5], [8]], np.int32), 4).tolist()
    [[True, False, True, False], [False, False, False, True]]
    """
    octets = np.ascontiguousarray(bitmask, "<i4").view(np.uint8)
    # A view, because a conversion would copy a byte for each token.
    return np.unpackbits(octets, axis=-1, count=vocab_size, bitorder="little").view(np.bool_)


SMALL = 4_096
"""The size of the vocabularies whose rows are masked all at once."""

CEILINGS = np.where(
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"), np.nan, -np.inf
).astype(np.float32)
"""For each value of a byte, what its eight logits are capped at: minus infinity for a 0, NaN (no cap) for a 1."""


def forbid(logits: NDArray[Any], rows: Sequence[int], bitmask: NDArray[np.int32]) -> None:
    """Write minus infinity into rows of logits wherever a bit is 0.

    How many tokens are allowed makes no difference to the time. An assignment through booleans takes two to fourteen
    times as long, because its inner loop jumps at each bit. If the vocabulary is small, the whole batch is masked in
    one call, since it's the calls that take the time. If it's large, the rows are masked one by one, so that a row's
    ceilings stay in the processor's cache. Rows in the same state often follow each other, inside a string for
    instance, and then they share their ceilings. A few rows are masked one by one too: in a batch with many grammars,
    each has calls of its own.

    Args:
        logits: ``[batch, V]`` of any floating type, changed in place.
        rows: of the batch.
        bitmask: ``int32[len(rows), ceil(V / 32)]``, one row for each.

    >>> logits = np.float32([[1, 2, 3], [9, np.nan, 7]])
    >>> forbid(logits, [1], np.int32([[4]]))
    >>> logits.tolist()
    [[1.0, 2.0, 3.0], [-inf, -inf, 7.0]]
    """
    # fmin takes the smaller of two numbers, and the logit where the ceiling is NaN.
    if len(rows) > 3 and logits.shape[1] <= SMALL:
        # The other rows get a mask that allows everything: that's cheaper than to copy these out and back in.
        whole = np.full((len(logits), bitmask.shape[1]), -1, "<i4")
        whole[rows] = bitmask
        ceilings = CEILINGS.take(whole.view(np.uint8), axis=0).reshape(len(logits), -1)
        np.fmin(logits, ceilings[:, : logits.shape[1]], out=logits)
        return
    octets = np.ascontiguousarray(bitmask, "<i4").view(np.uint8)
    for place, row in enumerate(rows):
        if not place or (octets[place] != octets[place - 1]).any():
            ceilings = CEILINGS.take(octets[place], axis=0).reshape(-1)[: logits.shape[1]]
        np.fmin(logits[row], ceilings, out=logits[row])
