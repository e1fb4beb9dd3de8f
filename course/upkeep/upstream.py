"""``python3 -m course upstream check CHECKOUT``: hold the upstream notes to the source that they cite.

A citation is a link to ``https://github.com/OWNER/NAME/blob/COMMIT/PATH``, followed by the symbols that stand there.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from course.student.core.catalog import ROOT

NOTES = ROOT / "upstream_notes"
_LINK = re.compile(r"\[[^\]\n]+\]\(https://github\.com/([\w.-]+/[\w.-]+)/blob/([0-9a-f]{40})/([^)#\s]+)\)")
_SYMBOLS = re.compile(r"(?:,?(?:\s+(?:and|look|for))*\s+`[^`\n]+`)+")
_NAME = re.compile(r"\w+")


@dataclass(frozen=True)
class Citation:
    """A file at a commit, and what a note says is in it."""

    note: str
    repository: str
    commit: str
    path: str
    symbols: tuple[str, ...]


def citations(note: str, text: str) -> Iterator[Citation]:
    """Yield what a note cites.

    >>> link = f"[`a.py`](https://github.com/o/n/blob/{40 * '0'}/src/a.py)"
    >>> [(each.path, each.symbols) for each in citations("x.md", f"{link} `A.b`, `c` does; {link}")]
    [('src/a.py', ('A.b', 'c')), ('src/a.py', ())]
    >>> [each.symbols for each in citations("x.md", f"Open {link} and look for `A.b` and `c`: it does.")]
    [('A.b', 'c')]
    """
    for link in _LINK.finditer(text):
        symbols = _SYMBOLS.match(text, link.end())
        yield Citation(note, link[1], link[2], link[3], tuple(re.findall(r"`([^`]+)`", symbols[0] if symbols else "")))


class Checkout:
    """A clone, with as much of its history as it has."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if self._git("rev-parse", "HEAD") is None:
            raise ValueError(f"{folder} is no git checkout with a commit")

    def _git(self, *arguments: str) -> str | None:
        command = ["git", "-C", str(self._folder), *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        return done.stdout if done.returncode == 0 else None

    def date(self, commit: str) -> int:
        """Return the time of a commit, in seconds; 0 if this clone has no such commit."""
        return int(self._git("log", "-1", "--format=%ct", commit, "--") or 0)

    def lacks(self, cited: Citation, commit: str) -> list[str]:
        """Return the cited symbols that are not in the cited file at a commit; the path where there is no such file."""
        text = self._git("show", f"{commit}:{cited.path}")
        if text is None:
            return [cited.path]
        words = {*_NAME.findall(text)}
        return [symbol for symbol in cited.symbols if not words.issuperset(_NAME.findall(symbol))]

    def now_in(self, cited: Citation, lacking: str) -> str:
        """Return where HEAD has a symbol that left its file, or a file that left its folder; empty if nowhere."""
        if lacking == cited.path:
            found = self._git("ls-tree", "-r", "--name-only", "HEAD") or ""
            paths = [path for path in found.splitlines() if Path(path).name == Path(cited.path).name]
        else:
            name = _NAME.findall(lacking)[-1]
            kind = f"*{Path(cited.path).suffix}"
            found = self._git("grep", "-lE", rf"\b(def|class|fn|struct|enum|impl) +{name}\b", "HEAD", "--", kind) or ""
            paths = [path.removeprefix("HEAD:") for path in found.splitlines()]
        return ", ".join(paths[:3])


def check(folder: Path, console: Console, notes: Path = NOTES) -> int:
    """Print which citations of a checkout's repository do not hold, and what has moved since; return 1 if one is wrong.

    Raises:
        ValueError: if the folder is no checkout, or of no repository that is cited.
    """
    checkout = Checkout(folder)
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(notes.glob("*.md"))}
    cited = [each for note, text in pages.items() for each in citations(note, text)]
    # The last commit that was read says whose clone this is: a fork's history holds its parent's too.
    date, last, repository = max((checkout.date(each.commit), each.commit, each.repository) for each in cited)
    if not date:
        raise ValueError(f"{folder} has none of the commits that the notes cite")
    cited = [each for each in cited if each.repository == repository]
    wrong, moved, unknown = list[str](), list[str](), list[str]()
    for each in cited:
        there = bool(checkout.date(each.commit))
        lacking = checkout.lacks(each, each.commit) if there else []
        where = f"{each.note}: @{each.commit[:12]} {each.path}"
        wrong += [f"{where} lacks {name}" for name in lacking]
        # What was gone already when the newest of the files was read has not moved since.
        gone = {*checkout.lacks(each, last), *lacking} if there else set[str]()
        news = [name for name in checkout.lacks(each, "HEAD") if name not in gone]
        (moved if there else unknown).extend(
            f"{where}: {name}, now {checkout.now_in(each, name) or 'gone, or under another name'}" for name in news
        )
    absent = sorted({each.commit[:12] for each in cited if not checkout.date(each.commit)})
    console.print(f"{repository}: {len(cited)} citations; not in this checkout: {', '.join(absent) or 'none'}")
    titles = ("wrong", "moved since", "not here at its commit, and not so at HEAD")
    for title, lines in zip(titles, (wrong, moved, unknown), strict=True):
        console.print(f"{title}: {len(lines)}", style="bold")
        for line in dict.fromkeys(lines):
            console.print(f"  {line}", markup=False)
    return 1 if wrong else 0
