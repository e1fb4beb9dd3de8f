"""Making ``starter.py`` from ``solution.py``: marked regions become a raise that says what to write."""

import json
import re
from hashlib import sha256
from pathlib import Path

from course.student.core.catalog import ROOT, Lab
from course.student.core.hints import lab_data

_HEADER = """\
# Your file for {lab.label}. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test {lab.number:02}
# On every save:    python3 -m course watch {lab.number:02}
# Stuck on TODO 1:  python3 -m course hint {lab.number:02}.1
# The README beside this file explains the idea.

"""

_REGION = re.compile(r"^(?P<indent> *)# begin TODO\n(?P<body>.*?)^ *# end TODO\n", re.M | re.S)


def regions(solution: str) -> dict[int, str]:
    """Return the marked regions of a solution by TODO number, without their marks.

    >>> regions("def f():\\n    # begin TODO\\n    return 2\\n    # end TODO\\n")
    {1: '    return 2\\n'}
    """
    return {number: match["body"] for number, match in enumerate(_REGION.finditer(solution), 1)}


def pristine_file(lab: Lab, root: Path = ROOT) -> Path:
    """Return where a handout keeps the pristine starter of a lab whose reference it lacks."""
    return root / "course" / "pristine" / f"{lab.name}.txt"


def generate_starter(lab: Lab) -> str:
    """Return the text of the lab's pristine starter; without a reference, the text that was handed out.

    Raises:
        ValueError: if the marks of the solution and the TODOs of ``hints.toml`` do not agree.
    """
    if not lab.has_reference:
        return pristine_file(lab).read_text(encoding="utf-8")
    source, todos = lab.solution.read_text(encoding="utf-8"), lab_data(lab).todos
    marked = _marked(source, f"{lab.path}/solution.py")
    functions = [todo.function for todo in todos.values()]
    if odd := sorted({*marked} ^ {*functions}):
        raise ValueError(f"{lab.path}: only one of solution.py's marks and hints.toml has {', '.join(odd)}")
    if marked != functions:
        raise ValueError(f"{lab.path}: hints.toml needs the order of solution.py: {', '.join(marked)}")
    waiting = iter(todos.values())

    def not_written(region: re.Match[str]) -> str:
        text = next(waiting).raise_text(lab).replace("\\", "\\\\").replace('"', '\\"')
        return f'{region["indent"]}raise NotImplementedError("{text}")\n'

    return _HEADER.format(lab=lab) + _REGION.sub(not_written, source)


def _marked(source: str, name: str) -> list[str]:
    """Return the functions with marked regions, in order. An error names the line where the marks are no pairs."""
    functions: list[str] = []
    function, opened = "", False
    for place, line in enumerate(source.splitlines(), start=1):
        if found := re.match(r"def (\w+)", line):
            function = found[1]
        if not re.search(r"# *(begin|end) TODO", line):
            continue
        wanted = "# end TODO" if opened else "# begin TODO"
        if line.strip() != wanted:
            raise ValueError(f"{name}, line {place}: {line.strip()!r} where only {wanted!r} may stand")
        functions += [] if opened else [function]
        opened = not opened
    if opened:
        raise ValueError(f"{name}: the TODO of {functions[-1]} has no end")
    return functions


def is_edited(lab: Lab) -> bool:
    """Return whether the lab's starter differs from the pristine one in more than its line ends."""
    if not lab.starter.is_file():
        return False
    text = lab.starter.read_text(encoding="utf-8", errors="replace")
    return text.replace("\r\n", "\n") != generate_starter(lab)


def without_marks(solution: str) -> str:
    """Return a solution as one reads it: without the marks of its regions.

    >>> without_marks("def f():\\n    # begin TODO\\n    return 2\\n    # end TODO\\n")
    'def f():\\n    return 2\\n'
    """
    return re.sub(r"^ *# (begin|end) TODO\n", "", solution, flags=re.M)


def without_header(starter: str, lab: Lab) -> str:
    """Return a starter without the comment at its top."""
    return starter.removeprefix(_HEADER.format(lab=lab))


def digests(lab: Lab) -> dict[str, str]:
    """Return a hash of the lab's tests and of its reference, which a student leaves as they are, by name."""
    files = (lab.folder / name for name in ("solution.py", "test_lab.py"))
    texts = {file.name: file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()}
    return {name: sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()}


def edited_files(lab: Lab) -> list[str]:
    """Return the names of those files that are no longer what ``sync`` has recorded in ``fingerprints.json``."""
    record = lab.folder / "fingerprints.json"
    recorded = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    return [name for name, digest in digests(lab).items() if recorded.get(name, digest) != digest]
