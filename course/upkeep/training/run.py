"""``python3 -m course train``: the whole training, from the tokens to the files in ``labkit/small_model/data``."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from labkit.installing import install_command
from labkit.small_model.tokenizer import TOKENS


def run_training(console: Console, out: Path, steps: int | None, seed: int, agent: bool = False) -> int:
    """Train the model; write tokens, two checkpoints, the logits for the test, and the record.

    Args:
        agent: whether the final checkpoint is trained on instead, with dialogues.

    Raises:
        ValueError: if a library is missing, or the early checkpoint lies after the last step.
    """
    if find_spec("torch") is None:
        raise ValueError(f"training needs torch: {install_command(['requirements/train.txt'])}")
    from course.upkeep.training.train import AGENT, Recipe, train

    recipe = replace(AGENT if agent else Recipe(), seed=seed)
    recipe = replace(recipe, steps=steps or recipe.steps)
    if not recipe.early <= recipe.steps:
        raise ValueError(f"the early checkpoint, of step {recipe.early}, has to lie within the {recipe.steps} steps")

    out.mkdir(parents=True, exist_ok=True)
    copyfile(TOKENS, out / "tokens.json")  # these stay: tests, recordings and pictures hold their ids
    at, loss_at = TextColumn("step {task.completed} of {task.total}"), TextColumn("loss {task.fields[loss]}")
    with Progress(BarColumn(), at, loss_at, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as progress:
        bar = progress.add_task("training", total=recipe.steps, loss="")

        def tell(step: int, loss: float) -> None:
            progress.update(bar, completed=step, loss=f"{loss:.3f}")

        record = train(recipe, out, tell)
    console.print(
        f"{record.tokens:,} tokens in {record.seconds / 60:.0f} minutes; loss {record.losses[-1][1]:.3f}; {out}"
    )
    return 0
