"""``python3 -m course shares``: whose lines run from a pattern or a schema to its first mask.

The course promises that what you write is what runs. This counts it: every line that the engine executes in its default
configuration, by file, and how many of them are in a ``solution.py``.
"""

import ast
import os
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from trace import Trace
from typing import Any

from rich.console import Console

from course.showcase.measuring import plain_table, with_progress
from course.student.core.catalog import ROOT
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide, index_of

COUNTED = ("labs", "labkit", "mask_engine")
"""The folders whose lines count; NumPy's and Python's own do not."""

SOURCES: dict[str, dict[str, Any]] = {
    "a regex": {"regex": r"-?[0-9]+(\.[0-9]{1,2})?|[a-z_]\w{0,9}"},
    "a schema": {
        "json_schema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "format": "uuid"},
                "count": {"type": "integer", "minimum": 3, "maximum": 250},
            },
            "required": ["id", "count"],
        }
    },
    "any JSON": {"json_schema": {}},
}
"""What is compiled, by name: as ``compile_guide`` takes it."""

BUDGET = 128
"""The tokens that the first mask may still use: the engine's manager gives every mask a budget."""


@dataclass(frozen=True)
class LineShare:
    """What was executed for one source.

    Attributes:
        lines: by file, relative to the repository, how many distinct lines were executed.
        changes: how often execution went from one file to another.
    """

    lines: dict[str, int]
    changes: int

    @property
    def total(self) -> int:
        """The distinct lines of all files."""
        return sum(self.lines.values())

    @property
    def students(self) -> int:
        """The distinct lines in files named ``solution.py``.

        >>> LineShare({"labs/lab_06/solution.py": 3, "labkit/errors.py": 1}, 5).students
        3
        """
        return sum(count for file, count in self.lines.items() if file.endswith("/solution.py"))


def traced(job: Callable[[], object], counted: Callable[[str], bool]) -> tuple[set[tuple[str, int]], int]:
    """Return the distinct lines that a call executes, and how often execution went from one file to another.

    Args:
        counted: whether the lines of a file of this name count.

    >>> def increase(number):
    ...     return number + 1
    >>> lines, changes = traced(lambda: increase(1), lambda name: name == increase.__code__.co_filename)
    >>> len({number for _, number in lines}), changes
    (1, 0)
    """
    tracer = Trace(count=1, trace=0)
    seen = _Seen(counted)
    tracer.counts = seen  # type: ignore[assignment]  # typeshed has other keys
    tracer.runfunc(job)
    return {place for place in seen if counted(place[0])}, seen.changes


class _Seen(dict[tuple[str, int], int]):
    """How often each line was executed, for ``Trace``; it notes when execution goes on in another file."""

    def __init__(self, counted: Callable[[str], bool]) -> None:
        self.changes, self._last, self._counted = 0, "", cache(counted)

    def __setitem__(self, place: tuple[str, int], count: int) -> None:
        if self._counted(place[0]):
            self.changes += self._last not in ("", place[0])
            self._last = place[0]
        super().__setitem__(place, count)


def share_of(source: dict[str, Any]) -> LineShare:
    """Compile a source, ask for its first mask, and return what that executed.

    The vocabulary is made ready and every module of the labs imported beforehand, as a server does when it starts. Call
    this in a fresh process: what the labs keep from an earlier compile would hide lines.

    Args:
        source: as ``compile_guide`` takes it.
    """
    for file in (*ROOT.glob("labs/lab_*/solution.py"), *files_beside()):
        import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    vocabulary = Vocabulary.small()
    index_of(vocabulary)

    def first_mask() -> None:
        guide = compile_guide(vocabulary, **source)
        guide.mask(guide.initial, BUDGET)

    folders = tuple(f"{ROOT / folder}{os.sep}" for folder in COUNTED)
    lines, changes = traced(first_mask, lambda name: name.startswith(folders))
    return LineShare(dict(Counter(Path(file).relative_to(ROOT).as_posix() for file, _ in lines)), changes)


def share_apart(source: dict[str, Any]) -> LineShare:
    """Return what ``share_of`` returns in a process of its own.

    >>> share_apart({"regex": "a|b"}).students > 0
    True
    """
    # subtle: a forked process would have all that this one has compiled
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(share_of, source).result()


def files_beside() -> list[Path]:
    """Return the files that no student writes: given code, ``mask_engine/`` and ``assembled.py``.

    >>> ROOT / "labs/assembled.py" in files_beside()
    True
    """
    patterns = ("labs/assembled.py", "labs/lab_*/given/**/*.py", "mask_engine/**/*.py")
    return [file for pattern in patterns for file in sorted(ROOT.glob(pattern))]


def lines_of_code(text: str) -> int:
    """Return how many lines of a program are code: not blank, no comment, no docstring. Words cost nothing.

    >>> lines_of_code(chr(10).join(["'A module.'", "", "# why", "x = 1"]))
    1
    """
    alone = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    said = [node for node in alone if isinstance(node.value, ast.Constant)]
    words = {line for node in said for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return sum(bool(line) and not line.startswith("#") and number not in words for number, line in lines)


def lines_beside() -> int:
    """Return how many lines of code these files have.

    >>> lines_beside() > 1000
    True
    """
    return sum(lines_of_code(file.read_text(encoding="utf-8")) for file in files_beside())


def shown(file: str) -> str:
    """Return a short name for a file of a lab.

    >>> shown("labs/lab_06_regex_to_dfa/given/words.py"), shown("labkit/errors.py")
    ('lab 06, given/words.py', 'labkit/errors.py')
    """
    return re.sub(r"^labs/lab_(\d+)_\w+/", r"lab \1, ", file)


def run_shares(console: Console) -> int:
    """Print a line for each file and a column for each source, then the shares; return 0."""
    found = with_progress(console, "tracing", [partial(share_apart, source) for source in SOURCES.values()])
    table = plain_table("lines executed", *SOURCES)
    files = {file for share in found for file in share.lines}
    for file in sorted(files, key=lambda file: (-max(share.lines.get(file, 0) for share in found), file)):
        table.add_row(shown(file), *[str(share.lines.get(file, "")) for share in found])
    table.add_section()
    table.add_row("all", *[f"{share.total:,}" for share in found])
    table.add_row("in a solution.py", *[f"{share.students:,}" for share in found])
    table.add_row("their share", *[f"{share.students / share.total:.1%}" for share in found])
    table.add_row("files", *[str(len(share.lines)) for share in found])
    table.add_row("changes of file", *[f"{share.changes:,}" for share in found])
    console.print(table)
    console.print(f"\nGiven code, mask_engine/ and labs/assembled.py together: {lines_beside():,} lines of code")
    return 0
