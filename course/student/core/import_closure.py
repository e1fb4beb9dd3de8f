"""Which of the repository's own modules a file imports, directly or through others."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from course.student.core.catalog import ROOT


def closure(paths: Iterable[Path], *, by_functions: bool = True) -> set[Path]:
    """Return these files and every module of the repository that running them may import.

    Imports inside functions count unless ``by_functions`` is false; imports below ``if TYPE_CHECKING:`` never do. A
    module comes with the ``__init__.py`` of the packages that it is in.

    >>> [path.name for path in sorted(closure([ROOT / "labkit" / "scores.py"]))]
    ['__init__.py', 'scores.py']
    >>> ROOT / "course" / "student" / "core" / "catalog.py" in closure([Path(__file__)])
    True
    """
    found: set[Path] = set()
    waiting = [path.resolve() for path in paths]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imported(path, by_functions=by_functions)
    return found


@cache
def imported(path: Path, *, by_functions: bool = True) -> frozenset[Path]:
    """Return the repository's files that importing this one runs, or that a function in it may import."""
    folders = [folder for folder in path.parents if folder.is_relative_to(ROOT)]
    packages = [folder / "__init__.py" for folder in folders]
    package = ".".join(path.parent.relative_to(ROOT).parts) if folders else ""
    names = _names(ast.parse(path.read_bytes()), package, by_functions)
    places = [ROOT.joinpath(*name.split(".")) for name in names]
    modules = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
    return frozenset(file for file in (*packages, *modules) if file.is_file())


def _names(node: ast.AST, package: str, by_functions: bool) -> Iterator[str]:
    """Yield the dotted names that the code below a node imports; ``from a import b`` gives ``a`` and ``a.b``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        base = resolve_name(base, package) if node.level else base
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        children = iter(node.orelse)
    for child in children:
        # Nothing below an expression imports, and most of a tree is expressions.
        if not isinstance(child, ast.expr) and (by_functions or not isinstance(child, ast.FunctionDef)):
            yield from _names(child, package, by_functions)
