"""A guide that tries every token: a test double of the labs' tests, which counts what it is asked."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import TokenNotAllowed

END = "<end>"
"""The state after EOS."""


class BruteGuide:
    """What lab 09's ``Guide`` answers, found by trying every token. A subclass says where tokens lead.

    Args:
        eos_id, size: of the vocabulary.

    >>> class Ones(BruteGuide):
    ...     def viable(self, state):
    ...         return {0: state + "1"} if len(state) < 2 else {}
    ...     def accepts(self, state):
    ...         return state == "11"
    >>> guide = Ones(eos_id=3, size=4)
    >>> guide.ids("1"), guide.ids("11"), guide.ids("1", remaining=1), guide.fewest("")
    ({0}, {3}, set(), 2)
    >>> guide.mask("11"), guide.advance("1", 0), guide.calls
    (array([8], dtype=int32), '11', Counter({'mask': 1, 'advance': 1}))
    """

    def __init__(self, eos_id: int, size: int) -> None:
        self.eos_id, self.size = eos_id, size
        self.calls: Counter[str] = Counter()
        self.filled: list[list[Any]] = []
        self.budgets: list[Any] = []

    def viable(self, state: Any) -> dict[int, Any]:
        """Return the tokens that may come next, EOS left out, with the state after each."""
        raise NotImplementedError

    def accepts(self, state: Any) -> bool:
        """Return whether the text of a state is a whole match."""
        raise NotImplementedError

    def fewest(self, state: Any, most: int = 9) -> float:
        """Return the fewest tokens to a match; infinity if it takes more than a few."""
        states = {state}
        for tokens in range(most):
            if any(each == END or self.accepts(each) for each in states):
                return tokens
            states = {after for each in states for after in self.viable(each).values()}
        return float("inf")

    def ids(self, state: Any, remaining: int | None = None) -> set[int]:
        """Return the tokens that may come next, within a budget."""
        if state == END:
            return set()
        after = self.viable(state)
        found = {i for i in after if remaining is None or self.fewest(after[i], remaining - 1) + 2 <= remaining}
        return found | ({self.eos_id} if self.accepts(state) else set())

    def words(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the same as a bitmask."""
        bits = np.isin(np.arange(-(-self.size // 32) * 32), sorted(self.ids(state, remaining)))
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """See ``Guide``."""
        self.calls["mask"] += 1
        row = self.words(state, remaining)
        row.flags.writeable = False
        return row

    def fill(self, states: Sequence[Any], out: NDArray[np.int32], remaining: Any = None) -> NDArray[np.int32]:
        """See ``Guide``; notes the states and the budgets. Returns ``out``, so that it crosses the pipe."""
        self.calls["fill"] += 1
        self.filled.append(list(states))
        self.budgets.append(remaining)
        wanted, got = f"int32{[len(states), -(-self.size // 32)]}", f"{out.dtype}{list(out.shape)}"
        assert got == wanted, f"fill got {len(states)} states, and out is {got}; it must be {wanted}"
        budgets = [remaining] * len(states) if remaining is None or isinstance(remaining, int) else remaining
        assert len(budgets) == len(states), f"fill got {len(states)} states and {len(budgets)} budgets"
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.words(state, budget)
        return out

    def advance(self, state: Any, token_id: int) -> Any:
        """See ``Guide``."""
        self.calls["advance"] += 1
        if token_id not in self.ids(state):
            raise TokenNotAllowed(int(token_id), f"the text {state!r}")
        return END if token_id == self.eos_id else self.viable(state)[token_id]

    def is_accepting(self, state: Any) -> bool:
        """See ``Guide``."""
        self.calls["is_accepting"] += 1
        return state == END or self.accepts(state)

    def tokens_to_accept(self, state: Any) -> float:
        """See ``Guide``."""
        self.calls["tokens_to_accept"] += 1
        return self.fewest(state)

    def made(self, lab: Any, initial: Any = "") -> Any:
        """Return the guide as a lab's code takes it."""
        functions = (self.mask, self.fill, self.advance, self.is_accepting, self.tokens_to_accept)
        return lab.GuideOfFunctions(initial, *functions)
