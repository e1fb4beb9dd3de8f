"""One classic script of several ES modules: a page that's opened from the disk may not import any."""

import re
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent

_IMPORT = re.compile(r'^import (?P<names>\{[^}]*\}) from "(?P<path>[^"]+)";\n', re.M)


def modules(entries: Iterable[Path]) -> list[Path]:
    """Return some modules and all that they import, each after those that it needs.

    >>> [module.name for module in modules([HERE / "engine/answers.js"])]
    ['model.js', 'random.js', 'sampling.js', 'answers.js']
    """
    found: dict[Path, bool] = {}  # whether all that a module needs is there

    def visit(module: Path) -> None:
        if module in found:
            return
        found[module] = False
        for each in _IMPORT.finditer(module.read_text(encoding="utf-8")):
            visit((module.parent / each["path"]).resolve())
        del found[module]
        found[module] = True

    for entry in entries:
        visit(entry.resolve())
    return list(found)


def bundle(entries: Iterable[Path], known: Iterable[Path] = ()) -> str:
    """Return the code of some modules and of all that they import, in one scope, so no two may use one name.

    Args:
        known: modules whose code the page has already.
    """
    left_out = set(modules(known))
    texts = [module.read_text(encoding="utf-8") for module in modules(entries) if module not in left_out]
    return "".join(re.sub(r"^export ", "", _IMPORT.sub("", text), flags=re.M) for text in texts)
