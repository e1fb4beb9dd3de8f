"""A recorded run of the demo, for copies of the course that lack what it takes to run: as JSON, and back."""

import json
import platform
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from course.showcase.demo.results import Answer, Cost, Count, Pair, Pattern, Results, Row, Run, Said, Written
from labkit.automata import Fsm

FILE = Path(__file__).parent / "recorded.json"
"""In a handed-out copy; the course itself has none."""


@dataclass(frozen=True)
class Recording:
    """The results of a run, and in words when and where it was."""

    where: str
    results: Results


def here() -> str:
    """Today, and this machine, as a recording names them."""
    return f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"


def as_text(recording: Recording) -> str:
    """What the file of a recording holds."""
    return json.dumps(_as_json(recording), indent=1, ensure_ascii=False) + "\n"


def load(path: Path = FILE) -> Recording | None:
    """The recording that came with this copy; None where there is none."""
    return _from_json(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def _as_json(recording: Recording) -> dict[str, Any]:
    """Runs name their pattern by its place, so that a machine is written once."""
    results = recording.results
    places = {pattern.source: place for place, pattern in enumerate(results.patterns)}
    patterns = [
        {**vars(each), "fsm": {**vars(each.fsm), "accepting": sorted(each.fsm.accepting)}} for each in results.patterns
    ]
    runs = [{**asdict(run), "pattern": places[run.pattern.source]} for run in results.runs]
    return {"where": recording.where, "results": {**asdict(results), "patterns": patterns, "runs": runs}}


def _from_json(data: dict[str, Any]) -> Recording:
    found = data["results"]
    patterns = tuple(_pattern(each) for each in found["patterns"])
    results = Results(
        found["vocab_size"],
        patterns,
        tuple(_run(each, patterns) for each in found["runs"]),
        tuple(found["agreed"]),
        tuple(Written(**each) for each in found["written"]),
        tuple(Cost(**each) for each in found["costs"]),
        tuple(_pair(each) for each in found["pairs"]),
        tuple(Count(each["where"], tuple(Row(**row) for row in each["rows"])) for each in found["counts"]),
    )
    return Recording(data["where"], results)


def _pattern(data: dict[str, Any]) -> Pattern:
    machine = data["fsm"]
    fsm = Fsm(tuple(machine["transitions"]), machine["initial"], frozenset(machine["accepting"]))
    return Pattern(data["source"], data["what"], fsm, tuple(data["prefixes"]))


def _run(data: dict[str, Any], patterns: tuple[Pattern, ...]) -> Run:
    free, masked = Answer(**data["free"]), Answer(**data["masked"])
    budgeted = Answer(**data["budgeted"]) if data["budgeted"] else None
    return Run(patterns[data["pattern"]], data["model"], free, masked, budgeted)


def _pair(data: dict[str, Any]) -> Pair:
    masked = Said(**data["masked"]) if data["masked"] else None
    return Pair(data["checkpoint"], data["prompt"], data["asked"], Said(**data["free"]), masked)
