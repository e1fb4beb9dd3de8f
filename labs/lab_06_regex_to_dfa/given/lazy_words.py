"""The automaton of a choice of words, made while it is walked: a state is a stretch of the sorted words and a depth."""

from collections.abc import Callable, Iterable
from functools import cached_property
from math import inf

from labkit.automata.dfa import DEAD
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.lazy import alphabet


class LazyWords:
    """The automaton of some texts. Its states are numbers in the order in which they are met, as ``LazyDfa``'s are.

    Args:
        texts: at least one.

    >>> words = LazyWords(["red", "rose", "blue"])
    >>> words.row(0)[words.classes[words.bounds.index(ord("r"))]], len(words), words.accepts(2)
    (2, 3, False)
    """

    initial = 0

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = sorted(set(texts))
        chars = sorted(set().union(*self._words))
        self.bounds, self.classes, classes_of = alphabet(tuple(((ord(char), ord(char)),) for char in chars))
        self._class_of = {char: own[0] for char, own in zip(chars, classes_of, strict=True)}
        # A state is the words from the first to before the last, which agree in the characters before the depth.
        self._states = [(0, len(self._words), 0)]
        self._rows: list[list[int] | None] = [None]

    def __len__(self) -> int:
        """Return how many states have been met."""
        return len(self._states)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has been met."""
        first, _, depth = self._states[state]
        return len(self._words[first]) == depth

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self._make_row(*self._states[state])
        return row

    def fewest_bytes(self, state: int) -> float:
        """Return how many bytes a text still needs from a state that has been met.

        >>> LazyWords(["red", "rosé"]).fewest_bytes(0)
        3
        """
        first, last, depth = self._states[state]
        spend(1 + (last - first >> 6))
        return min(self._lengths[first:last]) - len(self._words[first][:depth].encode(errors="surrogatepass"))

    @cached_property
    def most_bytes(self) -> float:
        """The most that ``fewest_bytes`` can be, at any place of any text."""
        return max(self._lengths)

    @cached_property
    def _lengths(self) -> list[float]:
        """The bytes of each word; a surrogate has none."""
        return [len(raw) if (raw := word.encode(errors="ignore")).decode() == word else inf for word in self._words]

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return the state itself, for nothing is counted here."""
        return state

    def _make_row(self, first: int, last: int, depth: int) -> list[int]:
        spend(last - first >> 3)
        row = [DEAD] * len(self._class_of)
        first += len(self._words[first]) == depth  # the shortest comes first: it ends here
        while first < last:
            char = self._words[first][depth]
            after = first + 1
            while after < last and self._words[after][depth] == char:
                after += 1
            row[self._class_of[char]] = len(self._states)
            self._states.append((first, after, depth + 1))
            self._rows.append(None)
            first = after
        return row
