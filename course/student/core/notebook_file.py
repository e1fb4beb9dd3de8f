"""Notebook files as plain data: cells in, the same text out on every machine. No notebook library is needed."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
"""A cell as the notebook format has it, but with its source and its texts as one string each."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def markdown_cell(source: str) -> Cell:
    """A cell of prose."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code_cell(source: str, tags: Sequence[str] = (), outputs: Sequence[Any] = ()) -> Cell:
    """A cell of code that does not say when it was run."""
    metadata = {"tags": list(tags)} if tags else {}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def notebook_text(cells: Sequence[Cell]) -> str:
    """The notebook as the text of a file.

    A cell's id is made of its own source, so that it stays when cells come and go around it.

    >>> json.loads(notebook_text([markdown_cell("# One\\n\\ntwo")]))["cells"][0]["source"]
    ['# One\\n', '\\n', 'two']
    """
    seen: Counter[str] = Counter()
    written = []
    for cell in cells:
        seen[cell["source"]] += 1
        name = hashlib.sha256(f"{cell['source']}\0{seen[cell['source']]}".encode()).hexdigest()[:8]
        outputs = {"outputs": [_split(output) for output in cell["outputs"]]} if "outputs" in cell else {}
        written.append({**cell, **outputs, "id": name, "source": _lines(cell["source"])})
    notebook = {"cells": written, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def read(path: Path) -> list[Cell]:
    """The cells of a notebook file, ids left out."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [plain({key: value for key, value in cell.items() if key != "id"}) for cell in cells]


def plain(cell: Cell) -> Cell:
    """The cell with each text as one string, where the file has a list of lines."""
    outputs = {"outputs": [_join(output) for output in cell["outputs"]]} if "outputs" in cell else {}
    return {**cell, **outputs, "source": _text(cell["source"])}


def _join(output: Cell) -> Cell:
    texts = {"text": _text(output["text"])} if "text" in output else {}
    data = {"data": {kind: _text(value) for kind, value in output["data"].items()}} if "data" in output else {}
    return {**output, **texts, **data}


def _split(output: Cell) -> Cell:
    texts = {"text": _lines(output["text"])} if "text" in output else {}
    data = {"data": {kind: _lines(value) for kind, value in output["data"].items()}} if "data" in output else {}
    return {**output, **texts, **data}


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
