"""The automaton of a choice of words, made while it is walked: a state is a stretch of the sorted words and a depth."""

from collections.abc import Callable, Iterable
from functools import cached_property
from math import inf

from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.subsets import States, alphabet
from labs.lab_06_regex_to_dfa.solution import split_alphabet


class LazyWords(States):
    """The automaton of some texts. Its states are numbers in the order in which they are met, as ``LazyDfa``'s are.

    Args:
        texts: at least one.

    >>> words = LazyWords(["red", "rose", "blue"])
    >>> words.targets(0), len(words), words.accepts(2)
    ({1: 1, 2: 32}, 3, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = sorted(set(texts))
        chars = sorted(set().union(*self._words))
        sets = [((ord(char), ord(char)),) for char in chars]
        self.bounds, self.classes, bits = alphabet(sets, split_alphabet)
        self.n_classes = len(chars)
        self._class_of = dict(zip(chars, bits, strict=True))
        self._known_lengths: dict[int, list[float]] = {}
        # A state is the words from the first to before the last, which agree in the characters before the depth.
        self._states = [(0, len(self._words), 0)]
        self._targets: list[dict[int, int] | None] = [None]

    def __len__(self) -> int:
        """Return how many states have been met."""
        return len(self._states)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has been met."""
        first, _, depth = self._states[state]
        return len(self._words[first]) == depth

    def targets(self, state: int) -> dict[int, int]:
        """Return the states after a state, each with the class of the character that leads there, as a bit."""
        found = self._targets[state]
        if found is None:
            found = self._targets[state] = self._parted(*self._states[state])
        return found

    def fewest_bytes(self, state: int, without: int = 0) -> float:
        """Return how many bytes a text still needs from a state that has been met, without characters of some classes.

        >>> LazyWords(["red", "rosé"]).fewest_bytes(0)
        3
        """
        first, last, depth = self._states[state]
        spend(1 + (last - first >> 6))
        return min(self._lengths(without)[first:last]) - len(self._words[first][:depth].encode(errors="surrogatepass"))

    @cached_property
    def most_bytes(self) -> float:
        """The most that ``fewest_bytes`` can be, at any place of any text."""
        return max(self._lengths(0))

    def _lengths(self, without: int) -> list[float]:
        """Return the bytes of each word; none for a surrogate, or for one with a character that's left out."""
        if without not in self._known_lengths:
            out = {char for char, bits in self._class_of.items() if bits & without}
            self._known_lengths[without] = [
                len(raw) if (raw := word.encode(errors="ignore")).decode() == word and out.isdisjoint(word) else inf
                for word in self._words
            ]
        return self._known_lengths[without]

    is_full = False  # it has no more states than the words have characters

    def anew(self, states: Iterable[int] = ()) -> "tuple[LazyWords, list[int]]":
        """Return the same automaton and states: it has nothing to forget."""
        return self, [*states]

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return the state itself, for nothing is counted here."""
        return state

    def _parted(self, first: int, last: int, depth: int) -> dict[int, int]:
        spend(last - first >> 3)
        found: dict[int, int] = {}
        first += len(self._words[first]) == depth  # the shortest comes first: it ends here
        while first < last:
            char = self._words[first][depth]
            after = first + 1
            while after < last and self._words[after][depth] == char:
                after += 1
            found[len(self._states)] = self._class_of[char]
            self._states.append((first, after, depth + 1))
            self._targets.append(None)
            first = after
        return found
