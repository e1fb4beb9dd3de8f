"""``python3 -m course show agent`` and ``score agent``: the agent on a server with the student's masks."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from html import escape
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.student.core.catalog import ROOT
from course.student.core.served import served
from labkit.pictures.palette import TERMINAL, either_way
from labs.own_files import report_at_exit

CHECKPOINT = "agent"

STYLES = {"thinks": "dim italic", "calls": "cyan", "is told": "yellow", "answers": "bold", "mask": TERMINAL["allowed"]}
"""How each line of a transcript looks."""

ENDS = {True: ("solved", "green"), False: ("not solved", "red")}


def the_agent(impl: str) -> Any:
    """Return the module of the agent, whose server says at the end whose functions ran if its masks are yours.

    Raises:
        ValueError: if this copy of the course ends before it, or a task lacks something.
    """
    if not (ROOT / "labs" / "agent").is_dir():
        raise ValueError("this copy of the course has no agent: it comes with lab 11")
    if impl == "starter":
        report_at_exit()
    agent = import_module("labs.agent.agent")
    for number, task in enumerate(agent.TASKS, 1):
        if missing := {"question", "form", "answer"} - task.keys():
            raise ValueError(f"task {number} of labs/agent/tasks.toml has no {', no '.join(sorted(missing))}")
    return agent


@dataclass
class Told:
    """One task as it was told: its lines, each with who speaks, and how it ended."""

    question: str
    lines: list[tuple[str, str]] = field(default_factory=list)
    solved: bool = False
    gave_up: bool = False
    why: str = ""

    @property
    def end(self) -> str:
        """What it came to, in words."""
        return self.why if self.gave_up or not self.lines else f"{self.lines[-1][1]}, but {self.why}"


def attempt(agent: Any, task: dict[str, Any], ask: Any, told: Told) -> Iterator[tuple[str, str]]:
    """Yield the lines of one task as they come; in the end ``told`` has them all, and says how it ended."""
    try:
        for step in agent.run(task, ask):
            lines = [(step.kind, step.text)] * bool(step.text)
            if changes := changed(step.choice):
                lines.append(("mask", changes))
            told.lines += lines
            yield from lines
            told.solved = step.kind == "answers" and json.loads(step.text) == json.loads(task["answer"])
        told.why = "" if told.solved else f"right is {task['answer']}"
    except agent.Unsolved as error:
        told.gave_up, told.why = True, str(error)


def changed(choice: dict[str, Any]) -> str:
    """Return where in a turn the mask forbade what the model wanted most.

    >>> mask = {"first_choice": "Sure", "first_choice_forbidden": True}
    >>> changed({"logprobs": {"content": [{"token": "{", "mask": mask}]}})
    "'{' for 'Sure'"
    """
    entries = (choice.get("logprobs") or {}).get("content") or []
    forbidden = [each for each in entries if each.get("mask", {}).get("first_choice_forbidden")]
    return ", ".join(f"{each['token']!r} for {each['mask']['first_choice']!r}" for each in forbidden)


def show_agent(console: Console, impl: str, html: Path | None, seed: int = 0) -> int:
    """Print a transcript of each task, and write them as a page; return 0.

    Args:
        seed: 0 for the likeliest tokens; otherwise they are drawn.
    """
    agent, found = the_agent(impl), list[Told]()
    sampling = {"temperature": 1, "seed": seed} if seed else {"temperature": 0}
    with served("--checkpoint", CHECKPOINT, "--impl", impl) as server:
        if impl == "solution":
            console.print("with the masks of the references", style="dim")
        for number, task in enumerate(agent.TASKS, 1):
            found.append(told := Told(task["question"]))
            console.print(Text(f"\n{number}  {told.question}", "bold"), soft_wrap=False)
            for who, text in attempt(agent, task, agent.server(server, **sampling), told):
                print_line(console, who, text, STYLES[who])
            end, colour = ENDS[told.solved]
            print_line(console, end, told.why, colour)
    console.print(f"\n{sum(told.solved for told in found)} of {len(found)} tasks solved")
    if html:
        html.parent.mkdir(parents=True, exist_ok=True)
        html.write_text(page(found), encoding="utf-8", newline="\n")
        console.print(f"{html}", markup=False, highlight=False)
    return 0


def print_line(console: Console, who: str, text: str, style: str) -> None:
    """Print one line of a transcript; what doesn't fit goes on below where it began."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=13, justify="right", style="dim")
    grid.add_column(overflow="fold")
    head = Text(who, f"not dim {style}" if "solved" in who else "")
    grid.add_row(head, Text(text, style))
    console.print(grid, soft_wrap=False)


STYLE = (
    f":root {{ color-scheme: light dark; {either_way()}; }}"
    + """
body { background: var(--back); color: var(--ink); margin: 0; }
main { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: .5rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 0; }
section { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: .8rem 1rem; }
dl { display: grid; gap: .2rem .8rem; grid-template-columns: max-content minmax(0, 1fr); margin: .5rem 0 0; }
dt { color: var(--muted); text-align: right; } dd { margin: 0; overflow-wrap: anywhere; }
.calls, .is-told, .answers, .mask { font: .85rem/1.75 ui-monospace, Menlo, Consolas, monospace; }
.thinks { color: var(--muted); font-style: italic; } .calls { color: var(--accent); }
.is-told { background: var(--lit); } .answers { font-weight: 600; }
.mask, .solved { color: var(--allowed); } .not-solved { color: var(--struck); }
"""
)


def page(found: list[Told]) -> str:
    """Return the transcripts as a page that asks no other host for anything."""
    title = f"The agent: {sum(told.solved for told in found)} of {len(found)} tasks solved"
    parts = []
    for number, told in enumerate(found, 1):
        lines = [*told.lines, (ENDS[told.solved][0], told.why)]
        rows = "\n".join(
            f'<dt>{who}</dt><dd class="{who.replace(" ", "-")}">{escape(text) or "✓"}</dd>' for who, text in lines
        )
        parts.append(f"<section><h2>{number}. {escape(told.question)}</h2>\n<dl>\n{rows}\n</dl></section>\n")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{title}</title><style>{STYLE}</style></head>\n'
        f"<body><main><h1>{title}</h1>\n{''.join(parts)}</main></body></html>\n"
    )


SEEDS = 20
"""How many times each task is tried at each temperature above 0."""

TEMPERATURES = (0.0, 1.0, 1.5)


def score_agent(console: Console, impl: str) -> int:
    """Print how many attempts are solved, by the agent's checkpoint and by that before it, with masks and without."""
    agent, misses = the_agent(impl), list[str]()
    table = Table("", box=box.SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    for temperature in TEMPERATURES:
        table.add_column(f"at {temperature:g}, of {len(agent.TASKS) * len(seeds_at(temperature))}", justify="right")
    table.add_column("no answer", justify="right")
    for checkpoint, masks in product((CHECKPOINT, "final"), (True, False)):
        name = f"{checkpoint}.npz, {'with' if masks else 'without'} masks"
        with console.status(f"{name}: every task, at each temperature"):
            found = attempts(agent, checkpoint, impl, masks)
        solved = [sum(told.solved for told in each) for each in found]
        table.add_row(name, *map(str, [*solved, sum(told.gave_up for each in found for told in each)]))
        missed = [told for each in found for told in each if told.why]
        misses += [f"{name}: {told.question} {told.end}" for told in missed[:: len(missed) // 3 or 1][:3]]
    console.print(table, soft_wrap=False)
    console.print(f"\n{datetime.now(UTC):%Y-%m-%d}. Some that were not solved:")
    for miss in misses:
        console.print(f"  {miss}", markup=False)
    return 0


def seeds_at(temperature: float) -> range:
    """Return the seeds at a temperature: at 0 they change nothing."""
    return range(SEEDS if temperature else 1)


def attempts(agent: Any, checkpoint: str, impl: str, masks: bool) -> list[list[Told]]:
    """Return all attempts, in a list for each temperature."""
    options = ["--checkpoint", checkpoint, "--impl", impl, *["--no-tool-call-masks"] * (not masks)]
    with served(*options) as server, ThreadPoolExecutor(8) as pool:

        def solve(temperature: float, one: tuple[dict[str, Any], int]) -> Told:
            task, seed = one
            told, sampling = Told(task["question"]), {"temperature": temperature, "seed": seed}
            for _ in attempt(agent, task, agent.server(server, masks, **sampling), told):
                pass
            return told

        return [list(pool.map(partial(solve, each), product(agent.TASKS, seeds_at(each)))) for each in TEMPERATURES]
