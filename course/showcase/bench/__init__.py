"""``python -m course bench``: the labs' methods, the course's engine beside today's, and the small model."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from course.showcase.bench.engines import run_engines
from course.showcase.bench.labs import run_labs
from course.showcase.bench.small_model import run_model
from course.showcase.measuring import environment
from course.student.core.catalog import find_lab
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary

PARTS = ("labs", "engines", "model")


def parts_of(word: str) -> tuple[str, ...]:
    """Return the parts that a word names; all where it is empty. ``apply`` is lab 14's share of ``labs``.

    Raises:
        ValueError: if the word names none.

    >>> parts_of(""), parts_of("apply")
    (('labs', 'engines', 'model'), ('apply',))
    """
    if word not in ("", "apply", *PARTS):
        raise ValueError(f"the bench has no part {word!r}: say labs, engines, apply, model, or nothing for all")
    return (word,) if word else PARTS


def run_bench(console: Console, file: Path, vocabulary: Vocabulary | None = None, parts: Sequence[str] = PARTS) -> int:
    """Run the parts, print their tables, write the JSON; return 1 if one of our masks was wrong."""
    # The model comes first: its file may be missing, and the other parts take long.
    model = SmallModel.load("final") if "model" in parts else None
    vocabulary = vocabulary or Vocabulary.tekken()
    where, right = environment(), True
    data: dict[str, object] = {**where}
    console.print(f"{where['machine']}, Python {where['python']}, {where['date']}", markup=False)
    if "labs" in parts or "apply" in parts:
        only = None if "labs" in parts else find_lab(14)
        data["rows"] = [asdict(row) for row in run_labs(console, vocabulary, only)]
    if "engines" in parts:
        data["engines"], right = run_engines(console, vocabulary)
    if model:
        data["model"] = run_model(console, model)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"Data: {file}", markup=False)
    return 0 if right else 1
