"""The small model as the one that reads drafts, and cheap models that write them."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.tasks import examples
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel

Logits = NDArray[np.floating]

EXAMPLES = 2000
"""The bigram table counts pairs of tokens in so many of the texts that the model was trained on."""


COPIED = 8.0
"""What a token gains that followed the last two before, as a logit: it becomes 3,000 times as likely."""


class DraftReader:
    """A model that reads whole drafts in one pass. It keeps what it has read in its KV cache, and counts.

    Attributes:
        passes: how often the model has run.
        rows: for how many places it has scored what may come next.

    >>> reader = DraftReader(SmallModel.load())
    >>> start = Tokenizer.load().prompt("Hex code of violet?")
    >>> rows = reader.score(start, [3, 7])
    >>> rows.shape, reader.passes, reader.rows
    ((3, 1024), 1, 3)
    >>> bool(np.allclose(reader.after([*start, 3]), rows[1], atol=1e-3)), reader.passes
    (True, 2)
    """

    def __init__(self, model: SmallModel) -> None:
        self._model, self._cache = model, model.new_cache()
        self._read: list[int] = []
        self.passes = self.rows = 0

    def score(self, ids: Sequence[int], draft: Sequence[int]) -> Logits:
        """Return the logits after ``ids`` and after each token of the draft, in one pass.

        >>> tokens = Tokenizer.load()
        >>> rows = DraftReader(SmallModel.load()).score(tokens.prompt("Hex code of violet?"), tokens.encode("#ee"))
        >>> tokens.decode(rows.argmax(1))  # it would have written the same, and has one more token
        '#ee82'
        """
        wanted = [*ids, *draft]
        differ = (place for place, pair in enumerate(zip(self._read, wanted, strict=False)) if pair[0] != pair[1])
        # What is shared with the last pass is in the cache. The last of ids is read again: its logits are wanted.
        shared = min(next(differ, len(self._read)), len(ids) - 1)
        self._cache.truncate(0, shared)
        rows: Logits = self._model.forward([wanted[shared:]], self._cache, every=True)[0, -len(draft) - 1 :]
        self._read = wanted
        self.passes += 1
        self.rows += len(rows)
        return rows

    def after(self, ids: Sequence[int]) -> Logits:
        """Return the logits after these ids, as a drafter does: one pass for each token.

        >>> tokens = Tokenizer.load()
        >>> tokens.decode([DraftReader(SmallModel.load("early")).after(tokens.prompt("Hex code of violet?")).argmax()])
        '#'
        """
        row: Logits = self.score(ids, [])[0]
        return row


@cache
def bigrams() -> Logits:
    """Return how often each token follows each other one in the training's texts, as logits, ``float64[V, V]``.

    >>> text = Tokenizer.load().decode
    >>> text([int(bigrams()[Tokenizer.load().encode("#")[0]].argmax())]) in "0123456789abcdef"
    True
    """
    tokenizer = Tokenizer.load()
    counts = np.full((len(tokenizer.vocabulary), len(tokenizer.vocabulary)), 0.01)
    for example in islice(examples(14), EXAMPLES):
        for pair in pairwise([*tokenizer.prompt(example.prompt), *tokenizer.answer(example.answer)]):
            counts[pair] += 1
    logits: Logits = np.log(counts)
    return logits


def by_bigrams(ids: Sequence[int]) -> Logits:
    """Return the logits of a bigram model: a row of a table.

    >>> bool((by_bigrams([3, 7]) == by_bigrams([5, 7])).all())  # only the last token counts
    True
    """
    row: Logits = bigrams()[ids[-1]]
    return row


def by_bigrams_and_lookup(ids: Sequence[int]) -> Logits:
    """Return the logits of a bigram model that has read the text: what followed the last two tokens before is likelier.

    In long answers that repeat themselves, such as a list of records, this is kept far more often than the table alone;
    in short ones about as often.

    >>> int((by_bigrams_and_lookup([5, 1, 7, 5, 1]) - by_bigrams([1])).argmax())  # 7 came after 5 and 1
    7
    """
    row = by_bigrams(ids).copy()
    row[looked_up(ids, 1, n=2)] += COPIED
    return row


def draft_freely(
    drafter: Callable[[Sequence[int]], Logits], ids: Sequence[int], length: int, draw: Callable[[], float]
) -> tuple[list[int], NDArray[np.float64]]:
    """Return a draft that's drawn without a mask, as by a drafter that knows no grammar; and what it was drawn from.

    >>> draft_freely(lambda ids: np.zeros(4), [], 2, lambda: 0.5)[0]
    [2, 2]
    """
    text, found = [*ids], list[NDArray[np.float64]]()
    while len(text) < len(ids) + length:
        weights = np.exp(drafter(text).astype(np.float64))
        found.append(weights / weights.sum())
        sums = weights.cumsum()
        text.append(int(np.searchsorted(sums, draw() * sums[-1], side="right")))
    return text[len(ids) :], np.array(found)


def looked_up(ids: Sequence[int], length: int, n: int = 1) -> list[int]:
    """Return what followed the last n tokens where they came last before: prompt lookup (Saxena, 2023).

    >>> looked_up([5, 1, 2, 3, 9, 1], 3), looked_up([1, 2, 3], 3), looked_up([5, 1, 7, 1, 5, 1], 1, n=2)
    ([2, 3, 9], [], [7])
    """
    tail = [*ids[-n:]]
    for after in range(len(ids) - 1, n - 1, -1):
        if ids[after - 1] == ids[-1] and [*ids[after - n : after]] == tail:
            return [*ids[after : after + length]]
    return []
