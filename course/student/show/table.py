"""The tables of a frame: the model's favourites and what the mask makes of them, and the bits of a bitmask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.text import Text

from course.student.show.frames import Frame
from course.student.show.glyphs import Glyphs
from labkit.vocabulary import Vocabulary

_BAR = 20
_TOP = 5
_BITS = 32


@dataclass(frozen=True)
class Table:
    """Draws the tokens of one vocabulary.

    >>> table = Table(Vocabulary.toy(), Glyphs(unicode=True))
    >>> for label, text in table.bitmask([11]):
    ...     print(f"{label:7}{text}")
    word 0 ........ ........ ........ ...01011            11
           3 '1', 1 '.', 0 'a'
    """

    vocabulary: Vocabulary
    glyphs: Glyphs

    def lines(self, frame: Frame) -> list[Text]:
        """Return the model's favourites, then those of what the mask left, and the chosen token."""
        wanted = softmax(frame.logits)
        left = None if frame.mask is None else softmax(_after(frame, frame.mask))
        count = "" if frame.mask is None else f"the mask leaves {int(frame.mask.sum())} of {len(wanted)} tokens"
        heading = Text(f"{'':16}{'the model wants':30}{count}".rstrip(), "dim")
        return [heading, *(self._token(frame, i, wanted, left) for i in _shown_ids(frame, wanted, left))]

    def name(self, token_id: int) -> str:
        """Return a token as it is shown."""
        if token_id == self.vocabulary.eos_id:
            return "EOS"
        return self.glyphs.quoted(self.vocabulary.texts()[token_id] or self.vocabulary.token_bytes[token_id])

    def bitmask(self, words: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield two lines for each word: its bits, highest first, with its value; and its tokens in the same order."""
        for number, word in enumerate(words):
            first = _BITS * number
            tokens = [first + bit for bit in reversed(range(_BITS)) if word >> bit & 1]
            yield f"word {number}", f"{self._bits(word, first)}  {word:12}"
            yield "", ", ".join(f"{token} {self._known(token)}" for token in tokens) or "no token"

    def _bits(self, word: int, first: int) -> str:
        """Return groups of eight; a dot where there is no token, unless the bit is set all the same."""
        size = len(self.vocabulary)
        bits = ["01"[word >> bit & 1] if first + bit < size or word >> bit & 1 else "." for bit in range(_BITS)][::-1]
        return " ".join("".join(bits[start : start + 8]) for start in range(0, _BITS, 8))

    def _known(self, token_id: int) -> str:
        return self.name(token_id) if token_id < len(self.vocabulary) else "no such token"

    def _token(self, frame: Frame, i: int, wanted: NDArray[np.float64], left: NDArray[np.float64] | None) -> Text:
        struck = frame.mask is not None and not frame.mask[i]
        line = Text("> ", "bold") if i == frame.chosen else Text("  ")
        name = self.glyphs.cut(self.name(i), 13)
        line.append(name, "red strike" if struck else "").append(" " * (14 - cell_len(name)))
        line.append(self._share(wanted[i]), "yellow").append("  ")
        if struck:
            line.append(self._reason(frame, i), "red")
        if left is not None and (not struck or left[i] > 0):
            line.append((" but " if struck else "") + self._share(left[i]), "green")
        line.rstrip()
        return line

    def _reason(self, frame: Frame, i: int) -> str:
        """Return why a token is struck, where the table alone does not say it."""
        if frame.legal is not None and frame.legal[i]:
            return "struck: no budget"
        is_name = i in self.vocabulary.special_ids and i != self.vocabulary.eos_id
        return "struck: special" if is_name else "struck"

    def _share(self, share: float) -> str:
        return f"{share:6.1%} {self.glyphs.bar(share, _BAR):<{_BAR}}"


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return probabilities to draw: none at all where no logit is finite."""
    weights = np.where(np.isfinite(logits), np.exp(np.minimum(logits.astype(np.float64), 500.0)), 0.0)
    return np.asarray(weights / (weights.sum() or 1.0))


def _after(frame: Frame, mask: NDArray[np.bool_]) -> NDArray[np.floating]:
    """Return the student's own masked logits; where the show stopped before them, those that the mask asks for."""
    return np.where(mask, frame.logits, -np.inf) if frame.masked is None else frame.masked


def _shown_ids(frame: Frame, wanted: NDArray[np.float64], left: NDArray[np.float64] | None) -> list[int]:
    favourites = np.argsort(-wanted, kind="stable")[:_TOP].tolist()
    rest = [] if left is None else [i for i in np.argsort(-left, kind="stable")[:_TOP].tolist() if left[i] > 0]
    shown = list(dict.fromkeys([*favourites, *rest]))
    if frame.chosen is not None and frame.chosen not in shown:
        shown = [*shown[: 2 * _TOP - 1], frame.chosen]
    return shown
