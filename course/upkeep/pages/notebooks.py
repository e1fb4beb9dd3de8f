"""Walkthrough notebooks: made from ``walkthrough.py`` by running it, and compared with what a new run gives.

Importing this module loads no notebook library; the functions that need one do.
"""

import os
import re
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.notebook_file import (
    Cell,
    badge,
    code_cell,
    markdown_cell,
    notebook_text,
    plain,
    read,
    set_up,
)
from course.student.setup import TIERS, missing_packages
from course.upkeep.pages.drawn import said
from labkit.installing import install_command

SOURCE, NOTEBOOK = "walkthrough.py", "walkthrough.ipynb"

TIMING = "timing"
"""The tag of a cell whose outputs differ from run to run: a comparison skips them."""

_OPENING = re.compile(
    r"^# %% \[markdown\]\n# \[!\[Open in Colab.*?(?=\n\n# %%(?! tags=\[\"hide-input\"\]\n# @title))", re.M | re.S
)
_IMAGE = re.compile(r'(?<=data:image/svg\+xml;base64,)[^"]+')
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_TIMEOUT_S = 120


class NotebookError(ValueError):
    """A walkthrough that cannot be built: which cell, and what went wrong in it."""


class Bridge:
    """The bridge to transformers: a folder outside the labs, whose walkthrough needs the packages of an extra."""

    label, path, folder = "the bridge to transformers", "bridges/hf", ROOT / "bridges" / "hf"

    def why_not_here(self) -> str:
        """Return why the walkthrough cannot run here; empty where it can."""
        if not (absent := missing_packages(ROOT, "hf")):
            return ""
        return f"not run, since its extra is not installed ({', '.join(absent)}): {install_command([TIERS['hf']])}"


BRIDGE = Bridge()

Place = Lab | Bridge
"""What has a walkthrough."""


def opened(place: Place) -> Iterator[tuple[Path, str]]:
    """Yield a walkthrough's source and its notebook with the badge and the set-up cell that the address asks for."""
    first, second = badge(f"{place.path}/{NOTEBOOK}"), set_up()
    source, notebook = place.folder / SOURCE, place.folder / NOTEBOOK
    opening = f'# %% [markdown]\n# {first}\n\n# %% tags=["hide-input"]\n{second}'
    yield source, _OPENING.sub(lambda _: opening, source.read_text(encoding="utf-8"), count=1)
    cells = read(notebook)
    cells[1]["source"], cells[2]["source"] = first, second
    yield notebook, notebook_text(cells)


def run(lab: Place) -> list[Cell]:
    """Run the walkthrough from its first cell to its last; return its cells, outputs in place.

    Raises:
        NotebookError: if a cell raises, or writes to stderr.
    """
    import jupytext

    notebook = jupytext.reads((lab.folder / SOURCE).read_text(encoding="utf-8"), fmt="py:percent")
    # The kernel may still be closing its history when the folder goes.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        _execute(notebook, lab, Path(folder))
    cells = []
    for cell in map(plain, notebook.cells):
        if cell["cell_type"] != "code":
            cells.append(markdown_cell(cell["source"]))
            continue
        for output in cell["outputs"]:
            if output.get("name") == "stderr":
                raise NotebookError(
                    f"{lab.path}/walkthrough.py: the cell that begins {cell['source'].lstrip()[:60]!r} writes to "
                    f"stderr, which does not belong in a notebook:\n{output['text']}"
                )
        # without counts and colours
        outputs = [
            {"output_type": "stream", "name": output["name"], "text": _ANSI.sub("", output["text"])}
            if output["output_type"] == "stream"
            else {"output_type": "display_data", "metadata": {}, "data": output["data"]}
            for output in cell["outputs"]
        ]
        cells.append(code_cell(cell["source"], cell["metadata"].get("tags", ()), outputs))
    return cells


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
    kept = {key: value for key, value in os.environ.items() if key not in ("LAB_IMPL", "LAB_CHAIN", "FORCE_COLOR")}
    own = {"IPYTHONDIR": str(folder), "NO_COLOR": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
    with (folder / "stderr").open("wb") as stderr:
        try:
            client.execute(cwd=str(lab.folder), env=kept | own, stderr=stderr)
        except CellExecutionError as error:
            raise NotebookError(f"{lab.path}/walkthrough.py: {_ANSI.sub('', str(error))}") from None


def difference(committed: Sequence[Cell], fresh: Sequence[Cell]) -> str:
    """Return how a committed notebook differs from a new run; empty if they agree.

    >>> print(difference([code_cell("1 + 1")], [code_cell("1 + 2")]))
    --- committed
    +++ now
    @@ -1,2 +1,2 @@
     %% code []
    -1 + 1
    +1 + 2
    """
    lines = unified_diff(_lines(committed), _lines(fresh), "committed", "now", lineterm="")
    return "\n".join(line[:150] for line in islice(lines, 60))


def _lines(cells: Sequence[Cell]) -> list[str]:
    """Return kind, tags and source of each cell, and its outputs, unless its tag says that they differ by nature."""
    lines = []
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        lines += [f"%% {cell['cell_type']} {tags}", *cell["source"].splitlines()]
        for output in cell.get("outputs", []) if TIMING not in tags else []:
            texts = {output["name"]: output["text"]} if "text" in output else output["data"]
            for kind, text in texts.items():
                # Each picture as what it says, so that another version of Graphviz makes no difference.
                told = _IMAGE.sub(lambda found: said(b64decode(found[0]).decode()), text)
                lines += [f"{kind}> {line}" for line in told.splitlines()]
    return lines


def _every_place() -> list[Place]:
    """Return whatever has a walkthrough. A place where it cannot run here is left out, and named."""
    if why := BRIDGE.why_not_here():
        print(f"{BRIDGE.label}: {why};", end=" ")
    return [*(lab for lab in all_labs() if (lab.folder / SOURCE).is_file()), *([] if why else [BRIDGE])]


def _run_all(places: Sequence[Place]) -> Iterator[tuple[Place, list[Cell], str]]:
    """Run some walkthroughs; yield the cells of each, or what went wrong."""
    for lab in places:
        print(f"{lab.label} ...", end=" ", flush=True)
        try:
            yield lab, run(lab), ""
        except NotebookError as error:
            yield lab, [], str(error)


def build_all(places: Sequence[Place] | None = None) -> int:
    """Build and write the notebooks of some labs, or all; return 1 if any cannot be built."""
    failed = 0
    for lab, cells, problem in _run_all(_every_place() if places is None else places):
        if problem:
            failed = 1
            print(f"FAILED\n{problem}")
            continue
        (lab.folder / NOTEBOOK).write_text(notebook_text(cells), encoding="utf-8", newline="\n")
        print(f"wrote {lab.path}/{NOTEBOOK}")
    return failed


def check_all() -> list[str]:
    """Run every walkthrough again; return what is wrong: a failure, or a committed notebook that says otherwise."""
    problems: list[str] = []
    for lab, cells, problem in _run_all(_every_place()):
        path = lab.folder / NOTEBOOK
        if problem:
            problems.append(problem)
        elif found := difference(read(path) if path.is_file() else [], cells):
            problems.append(f"{lab.path}/{NOTEBOOK} is out of step; to build it: python3 -m course notebooks\n{found}")
    return problems
