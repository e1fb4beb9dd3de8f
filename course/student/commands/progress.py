"""What the course remembers of a student: which hints were seen. A text file, easily moved to another machine."""

import re
from pathlib import Path

from course.student.core.catalog import ROOT

FILE = ROOT / ".course" / "hints_seen.txt"


def hints_seen(file: Path = FILE) -> dict[str, int]:
    """How many hints of each TODO were seen; a line that cannot be read counts as none."""
    if not file.is_file():
        return {}
    lines = (line.split() for line in file.read_text(encoding="utf-8", errors="replace").splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) == 2 and re.fullmatch("[0-9]{1,3}", words[1])}


def remember_hint(todo: str, count: int, file: Path = FILE) -> None:
    """Note that ``count`` hints of a TODO (``02.3``) were seen."""
    seen = hints_seen(file) | {todo: count}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{name} {number}\n" for name, number in sorted(seen.items())), encoding="utf-8")
