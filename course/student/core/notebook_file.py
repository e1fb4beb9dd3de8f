"""Notebook files as plain data: cells in, the same text out on every computer. No notebook library is needed."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from course.student.core.catalog import repository

Cell = dict[str, Any]
"""A cell as the notebook format has it, but with its source and its texts as one string each."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

FOLDED = "hide-input"
"""The tag of a cell of code that is folded away: the book, JupyterLab and Colab show it when a reader asks for it."""

_SET_UP = """\
# @title Set-up: run this first
# Where there's no copy of the course, as on Colab and Kaggle, this fetches one.
import subprocess
import sys
from pathlib import Path

COURSE = "{address}"
here = Path.cwd()
roots = [folder for folder in (here, *here.parents) if (folder / "labkit").is_dir()]
root = roots[0] if roots else here / "mask-the-logits"
if not root.is_dir():
    subprocess.run(["git", "clone", "-q", "--depth", "1", COURSE, root], check=True)
    install = ["-m", "pip", "install", "-q", "-r", root / "requirements.txt"]
    subprocess.run([sys.executable, *install, "sentencepiece", "pydantic"], check=True)
sys.path.insert(0, str(root))"""


def set_up() -> str:
    """Return the code that a notebook runs first: it finds the course, or clones and installs it."""
    return _SET_UP.format(address=repository())


def badge(path: str) -> str:
    """Return the picture, as Markdown, that opens the notebook at a path of the repository on Colab."""
    colab, name = "https://colab.research.google.com", repository().removeprefix("https://github.com/")
    return f"[![Open in Colab]({colab}/assets/colab-badge.svg)]({colab}/github/{name}/blob/main/{path})"


def markdown_cell(source: str) -> Cell:
    """Return a cell of prose."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code_cell(source: str, tags: Sequence[str] = (), outputs: Sequence[Any] = ()) -> Cell:
    """Return a cell of code that does not say when it was run."""
    metadata: dict[str, Any] = {"tags": list(tags)} if tags else {}
    if FOLDED in tags:
        metadata |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
    cell = {"cell_type": "code", "execution_count": None, "metadata": metadata, "source": source}
    return {**cell, "outputs": list(outputs)}


def notebook_text(cells: Sequence[Cell]) -> str:
    """Return the notebook as the text of a file.

    A cell's id is derived from its own source, so that it stays when cells come and go around it.

    >>> json.loads(notebook_text([markdown_cell("# One\\n\\ntwo")]))["cells"][0]["source"]
    ['# One\\n', '\\n', 'two']
    """
    seen: Counter[str] = Counter()
    written = []
    for cell in cells:
        seen[cell["source"]] += 1
        name = hashlib.sha256(f"{cell['source']}\0{seen[cell['source']]}".encode()).hexdigest()[:8]
        written.append({**_with_texts(cell, lambda text: text.splitlines(keepends=True)), "id": name})
    notebook = {"cells": written, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def read(path: Path) -> list[Cell]:
    """Return the cells of a notebook file, without their ids."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [plain({key: value for key, value in cell.items() if key != "id"}) for cell in cells]


def plain(cell: Cell) -> Cell:
    """Return the cell with each text as one string, where the file has a list of lines."""
    return _with_texts(cell, "".join)


def _with_texts(cell: Cell, change: Callable[[Any], Any]) -> Cell:
    """Return a cell, or one of its outputs, with each text in it changed."""
    changed = cell | {key: change(cell[key]) for key in ("source", "text") if key in cell}
    if "data" in cell:
        changed["data"] = {kind: change(value) for kind, value in cell["data"].items()}
    if "outputs" in cell:
        changed["outputs"] = [_with_texts(output, change) for output in cell["outputs"]]
    return changed
