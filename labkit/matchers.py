"""A matcher as engines have it: an object that moves from token to token, and can be told to go back."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Moves(Protocol):
    """What an engine needs of such an object.

    >>> moves: Moves = MatcherOfFunctions(print, bool, print, lambda: False)
    >>> moves.accept(3), moves.is_finished()
    (True, False)
    """

    def mask(self) -> NDArray[np.bool_]:
        """Return what may come next, ``bool[V]``."""

    def accept(self, token_id: int) -> bool:
        """Move by a token, if it may come; return whether it may."""

    def rollback(self, count: int) -> None:
        """Take back the last accepted tokens."""

    def is_finished(self) -> bool:
        """Return whether EOS was accepted."""


class MatcherOfFunctions:
    """A matcher whose answers are functions; the tests count how often each is called.

    Args:
        mask, accept, rollback, is_finished: see ``Moves``.

    >>> MatcherOfFunctions(print, bool, print, lambda: True).is_finished()
    True
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
        guide: a guide of ``labs.assembled``.
        vocab_size: V.

    Attributes:
        tokens: those that were accepted and not taken back.
        calls: how often each method was called.

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.assembled import compile_guide
    >>> toy = Vocabulary.toy()
    >>> matcher = Matcher(compile_guide(toy, regex="[0-9]{1,3}"), len(toy), toy.eos_id)
    >>> matcher.accept(3), matcher.accept(0), matcher.tokens
    (True, False, [3])
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
        """Return what may come next, ``bool[V]``; nothing after EOS."""
        self.calls["mask"] += 1
        if self.is_finished():
            return np.zeros(self._size, np.bool_)
        return self._allowed()

    def accept(self, token_id: int) -> bool:
        """Move by a token, if it may come; return whether it may."""
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
        """
        self.calls["rollback"] += 1
        if not 0 <= count <= len(self.tokens):
            raise ValueError(f"{count} tokens can't be taken back: {len(self.tokens)} were accepted")
        del self._states[len(self._states) - count :], self.tokens[len(self.tokens) - count :]

    def is_finished(self) -> bool:
        """Return whether EOS was accepted."""
        return self.tokens[-1:] == [self._eos_id]
