"""Walkthrough notebooks: made from ``walkthrough.py`` by running it, and compared with what a new run gives.

Importing this module loads no notebook library; the functions that need one do.
"""

import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.notebook_file import Cell, code_cell, markdown_cell, notebook_text, plain, read
from course.student.setup.environment import CONSTRAINTS, TIERS, missing_packages
from course.upkeep.pages.notebook_diff import differences, name

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_TIMEOUT_S = 120


class NotebookError(ValueError):
    """A walkthrough that cannot be built: which cell, and what went wrong in it."""


@dataclass(frozen=True)
class Folder:
    """A folder outside the labs that has a walkthrough, and the extra whose packages it needs."""

    label: str
    path: str
    extra: str

    @property
    def folder(self) -> Path:
        """Return the folder in which the walkthrough lies and runs."""
        return ROOT / self.path

    def why_not_here(self) -> str:
        """Return why the walkthrough cannot run here; empty where it can."""
        if not (absent := missing_packages(ROOT, self.extra)):
            return ""
        install = f"pip install -r {TIERS[self.extra]} -c {CONSTRAINTS}"
        return f"not run, since its extra is not installed ({', '.join(absent)}): {install}"


BRIDGE = Folder("the bridge to transformers", "bridges/hf", "hf")

Place = Lab | Folder
"""What has a walkthrough."""


def source_of(lab: Place) -> Path:
    """Return the path of the source."""
    return lab.folder / "walkthrough.py"


def notebook_of(lab: Place) -> Path:
    """Return the path of the notebook."""
    return lab.folder / "walkthrough.ipynb"


def build(lab: Place) -> str:
    """Run the walkthrough from its first cell to its last; return the text of the notebook, outputs in place.

    Raises:
        NotebookError: if a cell raises, or writes to stderr.
    """
    return notebook_text(_run(lab, _cells(lab)))


def check(lab: Place) -> list[str]:
    """What is wrong with the committed notebook: run the walkthrough again and compare, cell by cell.

    Sources must be equal, and so must outputs, but for cells tagged ``timing``.
    """
    path = notebook_of(lab)
    if not path.is_file():
        return [f"{lab.path}/{path.name} is missing; to build it: python -m course notebooks"]
    try:
        fresh = _run(lab, _cells(lab))
    except NotebookError as error:
        return [str(error)]
    return [f"{lab.path}/{path.name}: {difference}" for difference in differences(read(path), fresh)]


def _cells(lab: Place) -> list[Cell]:
    """Return the cells of ``walkthrough.py``, without outputs."""
    import jupytext

    script = jupytext.reads(source_of(lab).read_text(encoding="utf-8"), fmt="py:percent")
    return [
        code_cell(cell.source, cell.metadata.get("tags", ()))
        if cell.cell_type == "code"
        else markdown_cell(cell.source)
        for cell in script.cells
    ]


def _run(lab: Place, cells: list[Cell]) -> list[Cell]:
    """Return the cells with their outputs."""
    import nbformat

    notebook = nbformat.from_dict({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        _execute(notebook, lab, Path(folder))
    ran = [plain(cell) for cell in notebook.cells]
    for cell in ran:
        _refuse_stderr(cell, lab)
    return [
        code_cell(cell["source"], cell["metadata"].get("tags", ()), map(_cleaned, cell["outputs"]))  # type: ignore[arg-type]
        if cell["cell_type"] == "code"
        else markdown_cell(cell["source"])
        for cell in ran
    ]


def _execute(notebook: Any, lab: Place, folder: Path) -> None:
    """Run the cells in the lab's folder, as a notebook server does, but without this user's settings."""
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    manager = AsyncKernelManager(kernel_name="python3")
    if sys.platform != "win32":  # no open ports, and none of ipykernel's warnings about them
        manager.transport, manager.ip = "ipc", str(folder / "kernel")
    client = NotebookClient(
        notebook, km=manager, timeout=_TIMEOUT_S, record_timing=False, coalesce_streams=True, ipython_hist_file=""
    )
    with (folder / "stderr").open("wb") as stderr:
        try:
            client.execute(cwd=str(lab.folder), env=_environment(folder), stderr=stderr)
        except CellExecutionError as error:
            raise NotebookError(f"{lab.path}/walkthrough.py: {_ANSI.sub('', str(error))}") from None


def _environment(folder: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("LAB_IMPL", "LAB_CHAIN", "FORCE_COLOR")}
    return kept | {"IPYTHONDIR": str(folder), "NO_COLOR": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}


def _cleaned(output: Cell) -> Cell:
    """Return an output without counts and colours."""
    if output["output_type"] == "stream":
        return {"output_type": "stream", "name": output["name"], "text": _ANSI.sub("", output["text"])}
    return {"output_type": "display_data", "metadata": {}, "data": output["data"]}


def _refuse_stderr(cell: Cell, lab: Place) -> None:
    for output in cell.get("outputs", []):
        if output.get("name") == "stderr":
            raise NotebookError(
                f"{lab.path}/walkthrough.py: {name(cell)} writes to stderr, which does not belong in a notebook:\n"
                f"{output['text']}"
            )


def labs_with_walkthrough() -> list[Lab]:
    """Return the labs that have a walkthrough."""
    return [lab for lab in all_labs() if source_of(lab).is_file()]


def _that_run_here() -> Sequence[Place]:
    """Return everything with a walkthrough; what cannot run here is left out, with a message."""
    if why := BRIDGE.why_not_here():
        print(f"{BRIDGE.label}: {why};", end=" ")
    return [*labs_with_walkthrough(), *([] if why else [BRIDGE])]


def build_all() -> int:
    """Build and write every notebook; return 1 if any cannot be built."""
    failed = 0
    for lab in _that_run_here():
        print(f"{lab.label}: running its walkthrough ...", end=" ", flush=True)
        start = time.perf_counter()
        try:
            text = build(lab)
        except NotebookError as error:
            failed = 1
            print(f"FAILED\n{error}")
            continue
        notebook_of(lab).write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {notebook_of(lab).relative_to(ROOT).as_posix()} ({time.perf_counter() - start:.0f} s)")
    return failed


def check_all() -> list[str]:
    """Run every walkthrough again; return what is wrong."""
    problems: list[str] = []
    for lab in _that_run_here():
        print(f"{lab.label} ...", end=" ", flush=True)
        problems += check(lab)
    return problems
