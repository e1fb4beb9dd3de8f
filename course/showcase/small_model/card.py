"""The model card's figures, written from the files that the training and the measurement left."""

import json
from pathlib import Path
from typing import Any

from course.showcase.small_model.figures import FILE, GROUPS, Share, Table, load
from course.showcase.small_model.outcomes import MODES, NAMES, RAN_OUT
from labkit.small_model.tasks.judging import REASONS
from labkit.small_model.transformer import DATA

CARD = DATA.parent / "MODEL_CARD.md"
RECORD = DATA / "training.json"
_BEGIN, _END = "<!-- figures: python -m course sync -->", "<!-- end of figures -->"


def card() -> str:
    """Return the card's text with the files' figures between the two marks; the text outside the marks stays."""
    text = CARD.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n\n{figures_text()}\n{_END}{after}"


def figures_text(figures: Path = FILE, record: Path = RECORD) -> str:
    """Return the record of the training and the tables of shares, as Markdown."""
    setting, tables = load(figures)
    where = f"{setting['date']}: {setting['machine']}, Python {setting['python']}"
    parts = [
        _training(json.loads(record.read_text(encoding="utf-8"))),
        f"Measured by `python -m course measure` on {where}.",
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
    for mode in MODES:
        lines += [_line(f"**{NAMES[mode]}**", table[mode]["all"], reasons)]
        lines += [_line(f"{NAMES[mode]}, {group} prompts", table[mode][group], reasons) for group in GROUPS[1:]]
    by_task = ((task, share) for task, share in table["free"].items() if task not in GROUPS)
    lines += [_line(f"no mask, {task}", share, reasons) for task, share in by_task]
    return "\n".join(lines)


def _line(name: str, share: Share, reasons: list[str]) -> str:
    counts = [share.valid, share.right, *(share.why.get(reason, 0) for reason in reasons)]
    cells = (f"{count / share.n:.1%}" if count else "0" for count in counts)
    return f"| {name} | {share.n} | {' | '.join(cells)} |"
