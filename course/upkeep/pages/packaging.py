"""The lists of packages in ``pyproject.toml``, for uv and pip: made from the requirements files, the one source."""

from collections.abc import Iterable
from pathlib import Path

from course.student.core.catalog import ROOT

FILE = ROOT / "pyproject.toml"
_BEGIN, _END = "# packages, from requirements.txt, requirements/ and constraints.txt: begin\n", "# packages: end\n"


def with_packages(file: Path = FILE) -> str:
    """Return the text of ``pyproject.toml`` with its lists of packages as the requirements files have them."""
    before, _, rest = file.read_text(encoding="utf-8").partition(_BEGIN)
    groups = {path.stem: path for path in sorted((file.parent / "requirements").glob("*.txt"))}
    parts = [
        _array("dependencies", named(file.parent / "requirements.txt")),
        "\n[dependency-groups]\n",
        *(_array(name, named(path)) for name, path in groups.items()),
        "\n[tool.uv]\npackage = false\ndefault-groups = []\n",
        _array("constraint-dependencies", named(file.parent / "constraints.txt")),
    ]
    return before + _BEGIN + "".join(parts) + _END + rest.partition(_END)[2]


def named(path: Path) -> list[str]:
    """Return what a requirements file asks for, without comments."""
    lines = (line.partition(" #")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _array(name: str, entries: Iterable[str]) -> str:
    """Return a list in TOML.

    >>> print(_array("dependencies", ["numpy>=2"]), end="")
    dependencies = [
      "numpy>=2",
    ]
    """
    return f"{name} = [\n" + "".join(f'  "{entry}",\n' for entry in entries) + "]\n"
