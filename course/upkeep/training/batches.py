"""The corpus as batches: examples end to end in rows of one length."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.tasks import CORPUS, Example, examples
from labkit.small_model.tokenizer import Tokenizer

PROMPT_WEIGHT = 0.1
"""How much a prompt's token counts in the loss; an answer's counts 1. Nobody asks the model to write prompts."""

Batch = tuple[NDArray[np.int64], NDArray[np.float32]]


def batches(seed: int, rows: int, length: int, tokenizer: Tokenizer) -> Iterator[Batch]:
    """Batches without end, the same for the same seed.

    Each row begins with an example and goes on with others until it is full; the last is cut. So the model learns to
    begin at position 0 and at later ones.

    Yields:
        Ids ``int64[rows, length + 1]``, and what each but the first of a row weighs, ``float32[rows, length]``.
    """
    stream = examples(seed, CORPUS)
    while True:
        filled = [_row(stream, tokenizer, length + 1) for _ in range(rows)]
        ids, weights = (np.array(part) for part in zip(*filled, strict=True))
        yield ids.astype(np.int64), weights[:, 1:].astype(np.float32)


def _row(stream: Iterator[Example], tokenizer: Tokenizer, length: int) -> tuple[list[int], list[float]]:
    ids: list[int] = []
    weights: list[float] = []
    while len(ids) < length:
        example = next(stream)
        prompt, answer = tokenizer.prompt(example.prompt), tokenizer.answer(example.answer)
        ids += prompt + answer
        weights += [PROMPT_WEIGHT] * len(prompt) + [1.0] * len(answer)
    return ids[:length], weights[:length]
