"""The training loop: from the corpus to the files that the repository ships."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from course.upkeep.training.corpus import Batch, batches
from course.upkeep.training.torch_model import Llama
from labkit.small_model.config import CONFIG, ModelConfig
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import DATA
from labkit.small_model.weights import load_weights

ROWS, LENGTH = 32, 256
LONG_ROWS, LONG_LENGTH = 8, 1024
"""Every eighth step has a few long rows in place of many short ones, so that late positions are learnt as well."""

_HELD_OUT = 1_000_003
"""The seed of the examples that measure the loss: no other seed is used twice."""


@dataclass
class Recipe:
    """One training: what has to be the same for it to come out the same.

    Attributes:
        early: the step of the early checkpoint; 0 for none.
        start: the checkpoint whose weights it begins with; empty for random ones.
        dialogues: what share of the examples are turns of dialogues.
        length: of the rows of most batches, in tokens.
    """

    steps: int = 2600
    early: int = 250
    seed: int = 0
    peak: float = 4e-3
    warm_up: int = 100
    config: ModelConfig = CONFIG
    start: str = ""
    dialogues: float = 0.0
    length: int = LENGTH


AGENT = Recipe(steps=500, early=0, peak=3e-3, warm_up=30, start="final", dialogues=0.85, length=512)
"""How the agent's checkpoint is made of the final one. A turn has about 170 tokens: shorter rows would cut many."""


@dataclass
class Record:
    """What a training leaves behind beside its weights."""

    recipe: Recipe
    seconds: float = 0.0
    tokens: int = 0
    losses: list[tuple[int, float]] = field(default_factory=list)


def train(recipe: Recipe, out: Path, tell: Callable[[int, float], object]) -> Record:
    """Train; write ``early.npz``, ``final.npz``, the logits for the test, and the record.

    A recipe with a ``start`` writes ``agent.npz`` and its record alone.

    Args:
        tell: called after each step with the step and its loss in nats a token.
    """
    torch.manual_seed(recipe.seed)
    model, record, tokenizer = Llama(recipe.config), Record(recipe), Tokenizer.load()
    if recipe.start:
        weights = load_weights(DATA / f"{recipe.start}.npz", recipe.config)
        model.load_state_dict({name: torch.from_numpy(weight).float() for name, weight in weights.items()})
    # Attention's weights come to underflow as the model learns, and a core is slow with numbers that small.
    torch.set_flush_denormal(True)
    try:
        _run(model, record, tokenizer, tell, out / "early.npz")
    finally:
        torch.set_flush_denormal(False)
    if recipe.start:
        save_weights(model, out / "agent.npz")
    else:
        save_weights(model, out / "final.npz")
        save_logits(model, out / "logits_fixture.npz", tokenizer)
    name = "agent.json" if recipe.start else "training.json"
    (out / name).write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    return record


def _run(model: Llama, record: Record, tokenizer: Tokenizer, tell: Callable[[int, float], object], early: Path) -> None:
    recipe, begin = record.recipe, time.perf_counter()
    matrices, others = model.parts()
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.95), fused=True)
    for step, batch in enumerate(islice(_mixed(recipe, tokenizer), recipe.steps), start=1):
        # The learning rate goes up in a straight line, then down to nothing along half a cosine.
        done = min(1.0, step / recipe.steps)
        rate = recipe.peak * min(1.0, step / recipe.warm_up) * (0.02 + 0.98 * (1 + np.cos(np.pi * done)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = weighted_loss(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        record.seconds, record.tokens = time.perf_counter() - begin, record.tokens + batch[1].size
        if step % 100 == 0 or step == recipe.steps:
            record.losses.append((step, held_out_loss(model, tokenizer, recipe.dialogues)))
        tell(step, loss.item())
        if step == recipe.early:
            save_weights(model, early)


def _mixed(recipe: Recipe, tokenizer: Tokenizer) -> Iterator[Batch]:
    short = batches(2 * recipe.seed, ROWS * LENGTH // recipe.length, recipe.length, tokenizer, recipe.dialogues)
    long = batches(2 * recipe.seed + 1, LONG_ROWS, LONG_LENGTH, tokenizer, recipe.dialogues)
    while True:
        yield from islice(short, 7)
        yield next(long)


def weighted_loss(model: Llama, batch: Batch) -> Tensor:
    """Return cross-entropy in nats, the mean over the tokens by what they weigh."""
    ids, weights = (torch.from_numpy(part) for part in batch)
    # In float32: a core without instructions for bfloat16 takes twenty times as long for its matrix products.
    logits = model(ids[:, :-1])
    each = functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none")
    return (each * weights.flatten()).sum() / weights.sum()


@torch.no_grad()
def held_out_loss(model: Llama, tokenizer: Tokenizer, dialogues: float = 0.0) -> float:
    """Return the loss on four batches that no training sees, in nats a token."""
    held_out = islice(batches(_HELD_OUT, ROWS, LENGTH, tokenizer, dialogues), 4)
    return float(np.mean([weighted_loss(model, batch).item() for batch in held_out]))


def save_weights(model: Llama, path: Path) -> None:
    """Write the weights as float16 under the names that labkit reads."""
    write_npz(path, {name: weight.detach().numpy().astype(np.float16) for name, weight in model.named_parameters()})


@torch.no_grad()
def save_logits(model: Llama, path: Path, tokenizer: Tokenizer, rows: int = 3, length: int = 96) -> None:
    """Write what PyTorch computes in float32 from the float16 weights, for the test of the NumPy model."""
    rounded = Llama(model.config)
    rounded.load_state_dict({name: weight.half().float() for name, weight in model.state_dict().items()})
    ids, _ = next(batches(31, rows, length, tokenizer))
    logits = rounded(torch.from_numpy(ids)).numpy()
    # Every eighth position and the last: the whole would weigh more than the model.
    places = np.unique(np.r_[0 : length + 1 : 8, length])
    write_npz(path, {"ids": ids.astype(np.int32), "places": places.astype(np.int32), "logits": logits[:, places]})


def write_npz(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write an npz beside the place, and move it there when it is whole; the same arrays give the same bytes."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, **arrays)
    part.replace(path)
