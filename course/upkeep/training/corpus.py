"""The corpus: the tokens counted on it, and its examples end to end in rows of one length."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.tasks import CORPUS, draw, examples
from labkit.small_model.tasks.dialogues import dialogue
from labkit.small_model.tasks.tool_calls import TOOL_CALLS
from labkit.small_model.tokenizer import PATTERN, SPECIAL, Tokenizer

_SAMPLE = 40_000
"""How many examples the tokens are counted on."""

PROMPT_WEIGHT = 0.1
"""How much a prompt's token counts in the loss; an answer's counts 1. Nobody asks the model to write prompts."""

Batch = tuple[NDArray[np.int64], NDArray[np.float32]]


def train_tokens(vocab_size: int, path: Path, seed: int = 0) -> None:
    """Find the merges of byte-level BPE with the library ``tokenizers``, and write them, in order, as JSON.

    Each token is a string with a character a byte.
    """
    from tokenizers import Regex
    from tokenizers import Tokenizer as Trained
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split
    from tokenizers.trainers import BpeTrainer

    bpe = Trained(BPE())
    bpe.pre_tokenizer = Sequence(
        [Split(Regex(PATTERN), behavior="isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    trainer = BpeTrainer(
        vocab_size=vocab_size - len(SPECIAL), initial_alphabet=ByteLevel.alphabet(), show_progress=False
    )
    sample = islice(examples(seed, CORPUS), _SAMPLE)
    texts = (text for each in sample for text in (each.prompt, each.answer.replace(TOOL_CALLS, "")))
    bpe.train_from_iterator(texts, trainer)
    # A character of byte-level BPE stands for a byte: printable ones for themselves, the others in a row.
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    byte_of = {chr(byte): byte for byte in plain} | {chr(256 + place): byte for place, byte in enumerate(others)}
    tokens = sorted(bpe.get_vocab(), key=bpe.get_vocab().__getitem__)
    merged = [bytes(byte_of[char] for char in token).decode("latin-1") for token in tokens[256:]]
    path.write_text(json.dumps(merged, indent=0) + "\n", encoding="utf-8")


def pairs(seed: int, tokenizer: Tokenizer, dialogues: float = 0.0) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the ids of prompts and answers without end, the same for the same seed.

    Args:
        dialogues: what share are turns of dialogues, each of another one.
    """
    rng = Random(seed)
    while True:
        if dialogues and rng.random() < dialogues:
            # Imported here, since training from nothing needs no server.
            from labkit.server.protocol import ChatCompletionRequest

            turn = rng.choice(dialogue(rng))
            request = ChatCompletionRequest.model_validate(turn.request)
            yield request.prompt_ids(tokenizer, turn.style, "<think>"), tokenizer.answer(turn.answer)
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
