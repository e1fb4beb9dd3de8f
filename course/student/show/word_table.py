"""Packed words as lines of text: their bits, and the tokens that these stand for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from labkit.vocabulary import Vocabulary

_BITS = 32


@dataclass(frozen=True)
class WordTable:
    """Writes the words of one vocabulary's masks.

    >>> table = WordTable(Vocabulary.toy(), str)
    >>> for label, text in table.rows([11]):
    ...     print(f"{label:7}{text}")
    word 0 ........ ........ ........ ...01011            11
           3 3, 1 1, 0 0
    """

    vocabulary: Vocabulary
    name: Callable[[int], str]

    def rows(self, words: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Two lines for each word: its bits, highest first, with its value; and its tokens in the same order."""
        for number, word in enumerate(words):
            first = _BITS * number
            tokens = [first + bit for bit in reversed(range(_BITS)) if word >> bit & 1]
            yield f"word {number}", f"{self._bits(word, first)}  {word:12}"
            yield "", ", ".join(f"{token} {self._named(token)}" for token in tokens) or "no token"

    def _bits(self, word: int, first: int) -> str:
        """In groups of eight; a dot where there is no token, unless the bit is set all the same."""
        size = len(self.vocabulary)
        bits = ["01"[word >> bit & 1] if first + bit < size or word >> bit & 1 else "." for bit in range(_BITS)][::-1]
        return " ".join("".join(bits[start : start + 8]) for start in range(0, _BITS, 8))

    def _named(self, token: int) -> str:
        return self.name(token) if token < len(self.vocabulary) else "no such token"
