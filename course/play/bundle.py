"""One classic script of several ES modules: a page that's opened from the disk may not import any."""

import re
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent

_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "(?P<path>[^"]+)";\n', re.M)


def bundle(entries: Iterable[Path]) -> str:
    """Return the code of some modules and of all that they import, as one script.

    What is imported becomes a function, called once, so its names are its own. The entries share one scope with
    whatever the script is put into.

    >>> bundle([HERE / "engine/model/answers.js"]).count(" = (() => {\\n")  # it imports three modules
    3
    """
    order, asked = modules(entries), dict[Path, set[str]]()
    for module in order:
        for other, names in _imports(module):
            asked.setdefault(other, set()).update(name for name, _ in names)
    number = {module: f"module{n}" for n, module in enumerate(order)}
    last = [module for module in order if module not in asked]  # what nobody imports is an entry
    parts = [
        f"const {number[module]} = (() => {{\n{_taken([module], number)}{_code(module)}"
        f"return {{ {', '.join(sorted(asked[module]))} }};\n}})();\n"
        for module in order
        if module in asked
    ]
    return "".join([*parts, _taken(last, number), *map(_code, last)])


def modules(entries: Iterable[Path]) -> list[Path]:
    """Return some modules and all that they import, each after those that it needs.

    Raises:
        ValueError: if modules import each other.

    >>> [module.name for module in modules([HERE / "engine/model/answers.js"])]  # each after what it imports
    ['model.js', 'random.js', 'sampling.js', 'answers.js']
    """
    found: dict[Path, bool] = {}  # whether all that a module needs is there

    def visit(module: Path) -> None:
        if module in found:
            if not found[module]:
                raise ValueError(f"{module.name} imports itself, through others")
            return
        found[module] = False
        for other, _ in _imports(module):
            visit(other)
        del found[module]
        found[module] = True

    for entry in entries:
        visit(entry.resolve())
    return list(found)


def _imports(module: Path) -> list[tuple[Path, list[tuple[str, str]]]]:
    """Return what a module imports: from which one, and each name with what the module calls it."""
    found = []
    for each in _IMPORT.finditer(module.read_text(encoding="utf-8")):
        names = [name.strip().partition(" as ") for name in each["names"].split(",") if name.strip()]
        pairs = [(name, alias or name) for name, _, alias in names]
        found.append(((module.parent / each["path"]).resolve(), pairs))
    return found


def _taken(importers: Iterable[Path], number: dict[Path, str]) -> str:
    """Return the lines that take what some modules of one scope import, each name once."""
    taken = {(number[other], *pair) for module in importers for other, pairs in _imports(module) for pair in pairs}
    return "".join(f"const {{ {name}: {alias} }} = {other};\n" for other, name, alias in sorted(taken))


def _code(module: Path) -> str:
    return re.sub(r"^export ", "", _IMPORT.sub("", module.read_text(encoding="utf-8")), flags=re.M)
