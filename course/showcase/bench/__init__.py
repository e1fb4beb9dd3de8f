"""``python -m course bench``: the labs' methods, the course's engine and masking beside today's, the small model."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from rich.console import Console

from course.showcase.bench.applying import run_apply
from course.showcase.bench.engines import run_engines
from course.showcase.bench.labs import run_labs
from course.showcase.bench.small_model import run_model
from course.showcase.environment import environment
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary

Part = Literal["labs", "engines", "apply", "model"]
PARTS: tuple[Part, ...] = ("labs", "engines", "apply", "model")


def parts_of(word: str) -> tuple[Part, ...]:
    """Return the parts that a word names; all where it is empty.

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
    """Run the parts, print their tables, write the JSON; return 1 if one of our masks was wrong."""
    # The model comes first: its file may be missing, and the other parts take long.
    model = SmallModel.load("final") if "model" in parts else None
    vocabulary = vocabulary or Vocabulary.tekken()
    where, right = environment(), True
    data: dict[str, object] = {**where}
    console.print(f"{where['machine']}, Python {where['python']}, {where['date']}", markup=False)
    if "labs" in parts:
        data["rows"] = [asdict(row) for row in run_labs(console, vocabulary)]
    if "engines" in parts:
        data["engines"], right = run_engines(console, vocabulary)
    if "apply" in parts:
        data["apply"], applied = run_apply(console)
        right = right and applied
    if model:
        data["model"] = run_model(console, model)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"Data: {file}", markup=False)
    return 0 if right else 1
