"""The training loop: from the corpus to the two checkpoints that the repository ships."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from course.upkeep.training.batches import Batch, batches
from course.upkeep.training.torch_model import Llama
from labkit.small_model.config import CONFIG, ModelConfig
from labkit.small_model.tokenizer import TOKENS, Tokenizer

ROWS, LENGTH = 32, 256
LONG_ROWS, LONG_LENGTH = 8, 1024
"""Every eighth step has a few long rows in place of many short ones, so that late positions are learnt as well."""

_HELD_OUT = 1_000_003
"""The seed of the examples that measure the loss: no other seed is used twice."""


@dataclass
class Recipe:
    """One training: what has to be the same for it to come out the same."""

    steps: int = 2600
    early: int = 250
    seed: int = 0
    peak: float = 4e-3
    warm_up: int = 100
    config: ModelConfig = CONFIG


@dataclass
class Record:
    """What a training leaves behind beside its weights."""

    recipe: Recipe
    seconds: float = 0.0
    tokens: int = 0
    losses: list[tuple[int, float]] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write the record as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def train(
    recipe: Recipe,
    save: Callable[[Llama, str], object],
    tell: Callable[[Record, int, float], object],
    tokens: Path = TOKENS,
) -> tuple[Llama, Record]:
    """Train, and hand over the early checkpoint and the final one.

    Args:
        recipe: sizes, steps and seed.
        save: called with the model and ``"early"`` or ``"final"``.
        tell: called after each step with the record, the step and its loss in nats a token.
        tokens: the file of the tokens.
    """
    torch.manual_seed(recipe.seed)
    model, record, tokenizer = Llama(recipe.config), Record(recipe), Tokenizer.load(tokens)
    with _without_subnormal_numbers():
        _run(model, record, tokenizer, save, tell)
    save(model, "final")
    return model, record


def _run(
    model: Llama,
    record: Record,
    tokenizer: Tokenizer,
    save: Callable[[Llama, str], object],
    tell: Callable[[Record, int, float], object],
) -> None:
    recipe, optimiser, begin = record.recipe, _optimiser(model), time.perf_counter()
    for step, batch in enumerate(islice(_mixed(recipe.seed, tokenizer), recipe.steps), start=1):
        loss = _step(model, optimiser, batch, _rate(recipe, step))
        record.seconds, record.tokens = time.perf_counter() - begin, record.tokens + batch[1].size
        if step % 100 == 0 or step == recipe.steps:
            record.losses.append((step, held_out_loss(model, tokenizer)))
        tell(record, step, loss)
        if step == recipe.early:
            save(model, "early")


@contextmanager
def _without_subnormal_numbers() -> Iterator[None]:
    """Attention's weights come to underflow as the model learns, and a core is slow with numbers that small."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def _mixed(seed: int, tokenizer: Tokenizer) -> Iterator[Batch]:
    short = batches(2 * seed, ROWS, LENGTH, tokenizer)
    long = batches(2 * seed + 1, LONG_ROWS, LONG_LENGTH, tokenizer)
    while True:
        yield from islice(short, 7)
        yield next(long)


def _rate(recipe: Recipe, step: int) -> float:
    """The learning rate: up in a straight line, then down to nothing along half a cosine."""
    done = min(1.0, step / recipe.steps)
    return recipe.peak * min(1.0, step / recipe.warm_up) * (0.02 + 0.98 * (1 + np.cos(np.pi * done)) / 2)


def _optimiser(model: Llama) -> torch.optim.Optimizer:
    matrices, others = model.parts()
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.95), fused=True)


def _step(model: Llama, optimiser: torch.optim.Optimizer, batch: Batch, rate: float) -> float:
    for group in optimiser.param_groups:
        group["lr"] = rate
    loss = weighted_loss(model, batch)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad()
    return loss.item()


def weighted_loss(model: Llama, batch: Batch) -> Tensor:
    """Cross-entropy in nats, the mean over the tokens by what they weigh; matrix products in bfloat16."""
    ids, weights = (torch.from_numpy(part) for part in batch)
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(ids[:, :-1])
    each = functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none")
    return (each * weights.flatten()).sum() / weights.sum()


@torch.no_grad()
def held_out_loss(model: Llama, tokenizer: Tokenizer) -> float:
    """The loss on four batches that no training sees, in nats a token."""
    held_out = islice(batches(_HELD_OUT, ROWS, LENGTH, tokenizer), 4)
    return float(np.mean([weighted_loss(model, batch).item() for batch in held_out]))
