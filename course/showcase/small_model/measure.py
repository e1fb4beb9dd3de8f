"""``python -m course measure``: the small model's figures, measured anew."""

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from course.showcase.measuring import with_progress
from course.showcase.small_model.figures import GROUPS, Share, Table, measure, save
from course.showcase.small_model.outcomes import MODES, NAMES


def checkpoints_of(name: str) -> tuple[str, ...]:
    """Return the checkpoints that a name means.

    Raises:
        ValueError: if it means none.

    >>> checkpoints_of("both"), checkpoints_of("early")
    (('early', 'final'), ('early',))
    """
    names = {"early": ("early",), "final": ("final",), "both": ("early", "final")}
    if name not in names:
        raise ValueError(f"--checkpoint takes early, final or both, not {name!r}")
    return names[name]


def run_measurement(
    console: Console, checkpoints: tuple[str, ...], n: int, seed: int, temperature: float, path: Path
) -> int:
    """Measure the checkpoints in every mode, show the tables, write the file."""
    kinds = [(checkpoint, mode) for checkpoint in checkpoints for mode in MODES]
    jobs = [partial(measure, checkpoint, mode, n, seed, temperature) for checkpoint, mode in kinds]
    shares = dict(zip(kinds, with_progress(console, f"answering {n} prompts in each mode", jobs), strict=True))
    tables = {checkpoint: {mode: shares[checkpoint, mode] for mode in MODES} for checkpoint in checkpoints}
    for checkpoint, table in tables.items():
        console.print(f"\n[bold]{checkpoint}[/], {n} prompts, temperature {temperature}, seed {seed}\n")
        console.print(grid(table))
    save(tables, n, seed, temperature, path)
    console.print(f"\nwritten to {path}")
    return 0


def grid(table: Table) -> Grid:
    """Return a table of each mode, whole and by halves, then of the free answers by task."""
    out = Grid(box=None, padding=(0, 2, 0, 0))
    for name in ("", "answers", "valid", "right"):
        out.add_column(name, justify="right" if name else "left", no_wrap=True)
    out.add_column("why not valid")
    for mode in MODES:
        for group in GROUPS:
            name = NAMES[mode] if group == "all" else f"  {group} prompts"
            out.add_row(name, *_cells(table[mode][group]), style="bold" if group == "all" else "")
    out.add_row("no mask, by task")
    for task, share in table["free"].items():
        if task not in GROUPS:
            out.add_row(f"  {task}", *_cells(share))
    return out


def _cells(share: Share) -> list[str]:
    if not share.n:
        return ["0"]
    why = ", ".join(f"{reason} {count / share.n:.1%}" for reason, count in share.why.items())
    return [str(share.n), *(f"{count / share.n:.1%}" for count in (share.valid, share.right)), why]
