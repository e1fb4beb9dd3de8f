"""The figures of the small model: how many of its answers are valid, why others are not, and how many are right.

``python3 -m course measure`` measures them anew; the model card quotes them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from course.showcase.measuring import environment, with_progress
from course.showcase.small_model.outcomes import (
    MAX_TOKENS,
    MODES,
    NAMES,
    RAN_OUT,
    JudgedAnswer,
    generator,
    outcomes,
)
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.tasks.judging import REASONS
from labkit.small_model.transformer import DATA

FILE, RECORD = DATA / "figures.json", DATA / "training.json"
"""The figures of the checkpoints in the repository, and what the training left."""

CARD = DATA.parent / "MODEL_CARD.md"

EVALUATION_SEED = 2_000_003
"""The seed of the prompts; the training used none of these."""


@dataclass
class Share:
    """How a group of answers came out.

    Attributes:
        valid: how many have the form that was asked for; those that ran out of tokens are not among them.
        right: how many are valid and say what the prompt says.
        why: how many of the others failed for which reason.
    """

    n: int = 0
    valid: int = 0
    right: int = 0
    why: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, group: Sequence[JudgedAnswer]) -> "Share":
        """Return the share of some answers."""
        why = Counter(outcome.why for outcome in group if outcome.why)
        valid, right = sum(outcome.valid for outcome in group), sum(outcome.right for outcome in group)
        return cls(len(group), valid, right, dict(why.most_common()))

    def percent(self, count: int) -> str:
        """Return a part of the answers to one decimal.

        >>> Share(3).percent(1), Share(9).percent(9), Share().percent(0)
        ('33.3%', '100%', '-')
        """
        return f"{100 * count / self.n:.1f}".removesuffix(".0") + "%" if self.n else "-"


Table = dict[str, dict[str, Share]]
"""By mode, then by group or task."""


GROUPS = ("all", "familiar", "unfamiliar")
"""The whole of a measurement and its two halves."""


def by_group(answers: Sequence[JudgedAnswer]) -> dict[str, Share]:
    """Return the shares of all answers, of those to prompts like the training's and unlike them, then by task."""
    halves = ([each for each in answers if each.example.familiar is familiar] for familiar in (True, False))
    groups = dict(zip(GROUPS, (answers, *halves), strict=True))
    for task in sorted({each.example.task for each in answers}):
        groups[task] = [each for each in answers if each.example.task == task]
    return {name: Share.of(group) for name, group in groups.items()}


def measure(checkpoint: str, mode: str, n: int, seed: int, temperature: float) -> dict[str, Share]:
    """Answer ``n`` prompts in one mode, and return the shares."""
    prompts = list(islice(examples(EVALUATION_SEED + seed, MEASURED), n))
    return by_group(outcomes(prompts, mode, generator(checkpoint), seed=seed, temperature=temperature))


def save(tables: dict[str, Table], n: int, seed: int, temperature: float, path: Path) -> None:
    """Write the figures with what was asked and where."""
    setting = {"n": n, "seed": seed, "temperature": temperature, "max_tokens": MAX_TOKENS}
    content = {**setting, **environment(), "shares": tables}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, default=vars) + "\n", encoding="utf-8")


def load(path: Path = FILE) -> tuple[dict[str, object], dict[str, Table]]:
    """Return the figures that the repository ships: what was asked and where, and the tables by checkpoint."""
    content = json.loads(path.read_text(encoding="utf-8"))
    tables = {
        checkpoint: {mode: {name: Share(**share) for name, share in groups.items()} for mode, groups in table.items()}
        for checkpoint, table in content.pop("shares").items()
    }
    return content, tables


def grid(rows: Iterable[tuple[str, Share, str]]) -> Grid:
    """Return a table of shares, each with its name and the style of its line."""
    out = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("", "answers", "valid", "right"):
        out.add_column(name, justify="right" if name else "left", no_wrap=True)
    out.add_column("not valid: why")
    for name, share, style in rows:
        why = Text(", ".join(f"{reason} {share.percent(count)}" for reason, count in share.why.items()), "dim")
        valid = Text(share.percent(share.valid), "green" if share.valid == share.n else "red")
        out.add_row(name, str(share.n), valid, share.percent(share.right), why, style=style)
    return out


def rows(table: Table) -> Iterator[tuple[str, Share]]:
    """Yield each mode's shares, whole and by halves, and then the free answers' by task, with their names."""
    for mode in MODES:
        yield NAMES[mode], table[mode]["all"]
        yield from ((f"{NAMES[mode]}, {group} prompts", table[mode][group]) for group in GROUPS[1:])
    yield from ((f"{NAMES['free']}, {task}", share) for task, share in table["free"].items() if task not in GROUPS)


def run_measurement(
    console: Console, checkpoints: tuple[str, ...], n: int, seed: int, temperature: float, path: Path
) -> int:
    """Measure the checkpoints in every mode, show each mode by halves and the free answers by task, write the file."""
    kinds = [(checkpoint, mode) for checkpoint in checkpoints for mode in MODES]
    jobs = [partial(measure, checkpoint, mode, n, seed, temperature) for checkpoint, mode in kinds]
    shares = dict(zip(kinds, with_progress(console, f"answering {n} prompts in each mode", jobs), strict=True))
    tables = {checkpoint: {mode: shares[checkpoint, mode] for mode in MODES} for checkpoint in checkpoints}
    for checkpoint, table in tables.items():
        console.print(f"\n[bold]{checkpoint}[/], {n} prompts, temperature {temperature}, seed {seed}\n")
        console.print(grid((name, share, "bold" if name in NAMES.values() else "") for name, share in rows(table)))
    save(tables, n, seed, temperature, path)
    console.print(f"\nwritten to {path}")
    return 0


def figures_text() -> str:
    """Return the record of the training and the tables of shares, as Markdown."""
    setting, tables = load()
    where = f"{setting['date']}: {setting['machine']}, Python {setting['python']}"
    parts = [
        _training(json.loads(RECORD.read_text(encoding="utf-8"))),
        f"Measured by `python3 -m course measure` on {where}.",
        f"{setting['n']} prompts that no training saw, seed {setting['seed']}, temperature {setting['temperature']}, "
        f"at most {setting['max_tokens']} tokens an answer, EOS included.",
        *(_checkpoint(name, table) for name, table in tables.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _training(record: dict[str, Any]) -> str:
    recipe, losses = record["recipe"], record["losses"]
    shown = {losses[0][0], *(step for step, _ in losses if step % 500 == 0), losses[-1][0]}
    curve = ", ".join(f"{loss:.2f} at step {step}" for step, loss in losses if step in shown)
    return (
        f"{recipe['steps']} steps, {record['tokens']:,} tokens, seed {recipe['seed']}, in "
        f"{record['seconds'] / 60:.0f} minutes on two shared cores with other work on them. Loss on held-out examples, "
        f"in nats a token: {curve}. The early checkpoint is that of step {recipe['early']}."
    )


def _checkpoint(name: str, table: Table) -> str:
    reasons = [each for each in (*REASONS, RAN_OUT) if any(each in table[mode]["all"].why for mode in MODES)]
    columns = ["", "answers", "valid", "right", *reasons]
    lines = [f"**{name}.npz**", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for name, share in rows(table):
        counts = [share.valid, share.right, *(share.why.get(reason, 0) for reason in reasons)]
        cells = (f"{count / share.n:.1%}" if count else "0" for count in counts)
        shown = f"**{name}**" if name in NAMES.values() else name
        lines.append(f"| {shown} | {share.n} | {' | '.join(cells)} |")
    return "\n".join(lines)
