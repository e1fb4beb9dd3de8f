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
    packages = {folder / "__init__.py" for folder in path.parents if folder.is_relative_to(ROOT)}
    return frozenset(filter(Path.is_file, packages)) | named(path, by_functions=by_functions)


@cache
def named(path: Path, *, by_functions: bool = True, for_types: bool = False) -> frozenset[Path]:
    """Return the repository's files that the import statements of this one name.

    Args:
        for_types: whether imports below ``if TYPE_CHECKING:`` count.

    >>> catalog = ROOT / "course" / "student" / "core" / "catalog.py"
    >>> named(Path(__file__).resolve()) == {catalog}
    True
    """
    package = ".".join(path.parent.relative_to(ROOT).parts) if path.is_relative_to(ROOT) else ""
    imports = _imports(ast.parse(path.read_bytes()), by_functions, for_types)
    return frozenset(file for node in imports for name in _names(node, package) for file in _files(name))


def _names(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    """Yield the modules of an import. ``from a import b`` is of ``a.b`` if that is a module, else of ``a``."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = "." * node.level + (node.module or "")
    base = resolve_name(base, package) if node.level else base
    inner = [f"{base}.{alias.name}" for alias in node.names]
    yield from (name if _files(name) else base for name in inner)


def _files(name: str) -> list[Path]:
    place = ROOT.joinpath(*name.split("."))
    return [file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()]


def _imports(node: ast.AST, by_functions: bool, for_types: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    children = ast.iter_child_nodes(node)
    if not for_types and isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        children = iter(node.orelse)
    for child in children:
        # Nothing below an expression imports, and most of a tree is expressions.
        if not isinstance(child, ast.expr) and (by_functions or not isinstance(child, ast.FunctionDef)):
            yield from _imports(child, by_functions, for_types)
