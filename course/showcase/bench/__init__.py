"""``python -m course bench``: the course's ways, its engine and its masking beside today's, its small model."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from rich.console import Console

from course.showcase.bench.applying import run_apply
from course.showcase.bench.engines import run_engines
from course.showcase.bench.engines.install import tekken_encode
from course.showcase.bench.engines.walks import longest_first
from course.showcase.bench.labs import run_labs
from course.showcase.bench.small_model import run_model
from course.showcase.surroundings import surroundings
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary

Part = Literal["labs", "engines", "apply", "model"]
PARTS: tuple[Part, ...] = ("labs", "engines", "apply", "model")


def parts_of(word: str) -> tuple[Part, ...]:
    """The parts that a person asked for.

    Raises:
        ValueError: if the word names none.

    >>> parts_of(""), parts_of("labs")
    (('labs', 'engines', 'apply', 'model'), ('labs',))
    """
    found = tuple(part for part in PARTS if word in ("", part))
    if not found:
        raise ValueError(f"the bench has no part {word!r}: say labs, engines, apply, model, or nothing for all")
    return found


def run_bench(console: Console, file: Path, vocabulary: Vocabulary | None = None, parts: Sequence[Part] = PARTS) -> int:
    """Run the parts, print their tables, write the JSON; 1 if an engine's mask showed ours to be wrong."""
    model = SmallModel.load("final") if "model" in parts else None  # First: it may be missing, and the rest takes long.
    encode = longest_first(vocabulary) if vocabulary else None
    vocabulary = vocabulary or Vocabulary.tekken()
    where, right = surroundings(), True
    data: dict[str, object] = {**where}
    console.print(f"{where['machine']}, Python {where['python']}, {where['date']}", markup=False)
    if "labs" in parts:
        data["rows"] = [asdict(row) for row in run_labs(console, vocabulary)]
    if "engines" in parts:
        data["engines"], right = run_engines(console, vocabulary, encode or tekken_encode())
    if "apply" in parts:
        data["apply"], applied = run_apply(console)
        right = right and applied
    if model:
        data["model"] = run_model(console, model)
    _write(file, data)
    console.print(f"Data: {file}", markup=False)
    return 0 if right else 1


def _write(file: Path, data: dict[str, object]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
