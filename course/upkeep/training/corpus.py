"""The corpus: its examples end to end in rows of one length."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from course.upkeep.training.dialogues import dialogue
from labkit.small_model.tasks import CORPUS, draw
from labkit.small_model.tokenizer import Tokenizer

PROMPT_WEIGHT = 0.1
"""How much a prompt's token counts in the loss; an answer's counts 1. Nobody asks the model to write prompts."""

Batch = tuple[NDArray[np.int64], NDArray[np.float32]]


def pairs(seed: int, tokenizer: Tokenizer, dialogues: float = 0.0) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the ids of prompts and answers without end, the same for the same seed.

    Args:
        dialogues: what share are turns of dialogues, each of another one.
    """
    rng = Random(seed)
    while True:
        if dialogues and rng.random() < dialogues:
            # Imported here, since training from nothing needs no server.
            from course.showcase.server.protocol import ChatCompletionRequest

            turn = rng.choice(dialogue(rng))
            request = ChatCompletionRequest.model_validate(turn.request)
            (prompt,) = request.prompts_ids(tokenizer, turn.style, "<think>")
            yield prompt, tokenizer.answer(turn.answer)
        else:
            example = draw(rng, CORPUS)
            yield tokenizer.prompt(example.prompt), tokenizer.answer(example.answer)


def batches(seed: int, rows: int, length: int, tokenizer: Tokenizer, dialogues: float = 0.0) -> Iterator[Batch]:
    """Yield batches without end, the same for the same seed.

    Each row begins with an example and goes on with others until it is full; the last is cut. So the model learns to
    begin at position 0 and at later ones.

    Yields:
        Ids ``int64[rows, length + 1]``, and what each but the first of a row weighs, ``float32[rows, length]``.
    """
    stream = pairs(seed, tokenizer, dialogues)
    while True:
        ids = np.empty((rows, length + 1), np.int64)
        weights = np.empty((rows, length), np.float32)
        for row in range(rows):
            row_ids: list[int] = []
            row_weights: list[float] = []
            while len(row_ids) <= length:
                prompt, answer = next(stream)
                row_ids += prompt + answer
                row_weights += [PROMPT_WEIGHT] * len(prompt) + [1.0] * len(answer)
            ids[row], weights[row] = row_ids[: length + 1], row_weights[1 : length + 1]
        yield ids, weights
