"""Scripted models: callables from the token ids so far to one row of logits.

A real model is a function of the same type. A mask that holds against the adversary holds against any model.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.vocabulary import Vocabulary

Model = Callable[[Sequence[int]], NDArray[np.float32]]
"""``model(ids) -> logits``: the token ids so far (Sequence[int]) to ``float32[V]``."""


def uniform(vocab_size: int) -> Model:
    """Return a model without preferences: every logit is 1.0, as in the course's first example.

    >>> uniform(4)([]).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return lambda ids: np.ones(vocab_size, dtype=np.float32)


def seeded_random(vocab_size: int, seed: int) -> Model:
    """Return a model whose logits are normally distributed and depend on the seed and the whole prefix alone.

    >>> model = seeded_random(4, seed=7)
    >>> model([1, 2]).tolist() == model([1, 2]).tolist(), model([1, 2]).tolist() == model([2, 1]).tolist()
    (True, False)
    """
    # NumPy ignores zeros at the end of a seed, so the prefix's length has to be part of it.
    return lambda ids: np.random.default_rng([seed, len(ids), *ids]).standard_normal(vocab_size, dtype=np.float32)


def adversary(vocabulary: Vocabulary, wants: Sequence[str] = ("q", "@", "zz"), seed: int = 0) -> Model:
    """Return a model that wants the given texts in turn, over and over again, whatever it has written.

    The text that it wants next has logit 20, the other wanted texts 15, every other token a fixed noise around 0.

    Raises:
        ValueError: if the vocabulary has none of the texts.

    >>> toy = Vocabulary.toy()
    >>> model = adversary(toy, wants=["a", ".2"])
    >>> [toy.texts()[model(ids).argmax()] for ids in ([], [0], [0, 2])]
    ['a', '.2', 'a']
    """
    id_of = {text: token_id for token_id, text in reversed(list(enumerate(vocabulary.texts())))}
    wanted_ids = [id_of[text] for text in wants if text in id_of]
    if not wanted_ids:
        raise ValueError(f"the vocabulary has none of the tokens {list(wants)}")
    noise = np.random.default_rng(seed).standard_normal(len(vocabulary), dtype=np.float32)
    noise[wanted_ids] = 15.0

    def logits(ids: Sequence[int]) -> NDArray[np.float32]:
        row = noise.copy()
        row[wanted_ids[len(ids) % len(wanted_ids)]] = 20.0
        return row

    return logits


def digit_lover(vocabulary: Vocabulary, seed: int = 0) -> Model:
    """Return a model that would write digits forever: tokens made of digits alone have logits around 20.

    >>> vocabulary = Vocabulary.toy()
    >>> vocabulary.texts()[int(digit_lover(vocabulary)([]).argmax())]
    '1'
    """
    row = np.random.default_rng(seed).standard_normal(len(vocabulary), dtype=np.float32)
    row[[i for i, text in enumerate(vocabulary.texts()) if text and text.isascii() and text.isdigit()]] += 20.0
    return lambda ids: row.copy()
