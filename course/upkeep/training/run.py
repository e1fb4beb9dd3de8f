"""``python -m course train``: the whole training, from nothing to the files in ``labkit/small_model/data``."""

from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from course.upkeep.training.bpe import train_tokens
from labkit.small_model.config import CONFIG
from labkit.small_model.tokenizer import Tokenizer

_NEEDED = ("torch", "tokenizers")


def run_training(console: Console, out: Path, steps: int, early: int, seed: int) -> int:
    """Train the tokens and the model; write tokens, two checkpoints, the logits for the test, and the record.

    Raises:
        ValueError: if a library is missing, or the early checkpoint lies outside the training.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise ValueError(
            f"training needs {' and '.join(missing)}: pip install -r requirements/train.txt -c constraints.txt"
        )
    if not 1 <= early <= steps:
        raise ValueError(f"the early checkpoint, of step {early}, has to lie within the {steps} steps")
    from course.upkeep.training.export import save_logits, save_weights
    from course.upkeep.training.train import Recipe, train

    out.mkdir(parents=True, exist_ok=True)
    train_tokens(CONFIG.vocab_size, out / "tokens.json", seed)
    with _progress(console) as progress:
        bar = progress.add_task("training", total=steps, loss="")
        model, record = train(
            Recipe(steps=steps, early=early, seed=seed),
            save=lambda model, name: save_weights(model, out / f"{name}.npz"),
            tell=lambda record, step, loss: progress.update(bar, completed=step, loss=f"{loss:.3f}"),
            tokens=out / "tokens.json",
        )
    save_logits(model, out / "logits_fixture.npz", Tokenizer.load(out / "tokens.json"))
    record.save(out / "training.json")
    console.print(
        f"{record.tokens:,} tokens in {record.seconds / 60:.0f} minutes; loss {record.losses[-1][1]:.3f}; {out}"
    )
    return 0


def _progress(console: Console) -> Progress:
    steps, loss = TextColumn("step {task.completed} of {task.total}"), TextColumn("loss {task.fields[loss]}")
    return Progress(BarColumn(), steps, loss, TimeElapsedColumn(), TimeRemainingColumn(), console=console)
