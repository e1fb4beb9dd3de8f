"""How two versions of a notebook differ, in words that name the cell."""

from collections.abc import Iterator, Sequence

from course.student.core.notebook_file import Cell

TIMING = "timing"
"""The tag of a cell whose outputs differ from run to run: a comparison skips them."""


def differences(committed: Sequence[Cell], fresh: Sequence[Cell]) -> Iterator[str]:
    """Yield how a committed notebook differs from a new run; outputs only where the sources agree."""
    if sources := list(source_differences(committed, fresh)):
        yield from sources
        return
    for old, new in zip(committed, fresh, strict=True):
        if TIMING not in old["metadata"].get("tags", []) and old.get("outputs") != new.get("outputs"):
            yield _both(old, "has other outputs now", _shown(old), _shown(new))


def source_differences(committed: Sequence[Cell], fresh: Sequence[Cell]) -> Iterator[str]:
    """Yield the first cell whose source, kind or tags differ: the cells after it differ because of it.

    >>> from course.student.core.notebook_file import code_cell
    >>> print(next(source_differences([code_cell("1 + 1")], [code_cell("1 + 2")])))
    the cell that begins '1 + 1' is not the one of walkthrough.py
      committed:
        1 + 1
      now:
        1 + 2
    """
    for old, new in zip(committed, fresh, strict=False):
        if any(old[key] != new[key] for key in ("cell_type", "source", "metadata")):
            yield _both(old, "is not the one of walkthrough.py", old["source"], new["source"])
            return
    if len(committed) != len(fresh):
        yield f"it has {len(committed)} cells, but walkthrough.py has {len(fresh)}"


def name(cell: Cell) -> str:
    """Return the cell by its first line."""
    first = next((line for line in cell["source"].splitlines() if line.strip()), "")
    return f"the cell that begins {first[:60]!r}"


def _both(cell: Cell, problem: str, old: str, new: str) -> str:
    return f"{name(cell)} {problem}\n  committed:\n{_excerpt(old)}\n  now:\n{_excerpt(new)}"


def _excerpt(text: str) -> str:
    return "\n".join(f"    {line[:150]}" for line in text.splitlines()[:12]) or "    (nothing)"


def _shown(cell: Cell) -> str:
    """Return the outputs of a cell as text."""
    texts = [output["text"] if "text" in output else "\n".join(output["data"].values()) for output in cell["outputs"]]
    return "\n".join(texts)
