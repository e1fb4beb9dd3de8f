"""A matcher as engines have it: an object that moves from token to token, and can be told to go back."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray


def one_or_two() -> Any:
    """Return a guide of three tokens: the first comes once or twice, and then the last, which is EOS.

    >>> [one_or_two().mask(state).tolist() for state in range(3)]  # bit 0; bits 0 and 2; bit 2 alone
    [[1], [5], [4]]
    """
    masks = np.array([[1], [5], [4]], np.int32)
    return SimpleNamespace(initial=0, mask=masks.__getitem__, advance=lambda state, token_id: state + 1)


class MatcherOfFunctions:
    """A matcher whose answers are functions; the tests count how often each is called.

    Args:
        mask, accept, rollback, is_finished: see ``Matcher``.

    >>> ids = []
    >>> matcher = MatcherOfFunctions(lambda: np.ones(3, bool), lambda id: not ids.append(id), ids.pop, lambda: 2 in ids)
    >>> matcher.accept(0), matcher.is_finished(), matcher.accept(2), matcher.is_finished()
    (True, False, True, True)
    """

    def __init__(
        self,
        mask: Callable[[], NDArray[np.bool_]],
        accept: Callable[[int], bool],
        rollback: Callable[[int], None],
        is_finished: Callable[[], bool],
    ) -> None:
        self.mask = mask
        self.accept = accept
        self.rollback = rollback
        self.is_finished = is_finished


class Matcher:
    """Where an answer is in a grammar, as an object that is moved. It counts what it's asked.

    xgrammar's ``GrammarMatcher`` and llguidance's ``LLMatcher`` have these methods under similar names.

    Args:
        guide: a guide of ``mask_engine``.
        vocab_size: V.

    Attributes:
        tokens: those that were accepted and not taken back.
        calls: how often each method was called.

    >>> matcher = Matcher(one_or_two(), 3, 2)
    >>> matcher.accept(0), matcher.accept(1), matcher.tokens
    (True, False, [0])
    >>> matcher.rollback(1), matcher.tokens
    (None, [])
    """

    def __init__(self, guide: Any, vocab_size: int, eos_id: int) -> None:
        self._guide, self._size, self._eos_id = guide, vocab_size, eos_id
        self._states: list[Any] = [guide.initial]
        self.tokens: list[int] = []
        self.calls = dict.fromkeys(("mask", "accept", "rollback"), 0)

    def _allowed(self) -> NDArray[np.bool_]:
        octets = self._guide.mask(self._states[-1]).view(np.uint8)
        return np.unpackbits(octets, count=self._size, bitorder="little").astype(np.bool_)

    def mask(self) -> NDArray[np.bool_]:
        """Return what may come next, ``bool[V]``; nothing after EOS.

        >>> Matcher(one_or_two(), 3, 2).mask().tolist()
        [True, False, False]
        """
        self.calls["mask"] += 1
        if self.is_finished():
            return np.zeros(self._size, np.bool_)
        return self._allowed()

    def accept(self, token_id: int) -> bool:
        """Move by a token, if it may come; return whether it may.

        >>> matcher = Matcher(one_or_two(), 3, 2)
        >>> [matcher.accept(token) for token in (2, 0, 1, 0, 2, 2)]
        [False, True, False, True, True, False]
        """
        self.calls["accept"] += 1
        if self.is_finished() or not self._allowed()[token_id]:
            return False
        state = self._states[-1]
        self._states.append(state if token_id == self._eos_id else self._guide.advance(state, token_id))
        self.tokens.append(token_id)
        return True

    def rollback(self, count: int) -> None:
        """Take back the last tokens.

        Raises:
            ValueError: if fewer were accepted.

        >>> matcher = Matcher(one_or_two(), 3, 2)
        >>> matcher.accept(0), matcher.accept(0), matcher.rollback(1), matcher.tokens
        (True, True, None, [0])
        """
        self.calls["rollback"] += 1
        if not 0 <= count <= len(self.tokens):
            raise ValueError(f"{count} tokens can't be taken back: {len(self.tokens)} were accepted")
        del self._states[len(self._states) - count :], self.tokens[len(self.tokens) - count :]

    def is_finished(self) -> bool:
        """Return whether EOS was accepted.

        >>> matcher = Matcher(one_or_two(), 3, 2)
        >>> matcher.is_finished(), matcher.accept(0), matcher.accept(2), matcher.is_finished()
        (False, True, True, True)
        """
        return self.tokens[-1:] == [self._eos_id]
