"""Looking for answers in what is handed out: the proof that nothing of them has slipped in.

Compared is code without white space and comments, so that no other indentation or line length hides it. An answer
counts as found where the whole body of a TODO stands, two neighbouring lines of one, or one long line. Shorter ones
say nothing: ``for char in text:`` stands everywhere.
"""

import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from course.student.core.catalog import ROOT, all_labs
from course.student.core.starters import regions
from course.teaching.handout.plan import Plan

LONG = 40
"""So many characters make one line, or two together, telling."""

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


@dataclass(frozen=True)
class Leak:
    """An answer in a file that was to be handed out."""

    file: str
    source: str
    words: str

    def __str__(self) -> str:
        shown = self.words if len(self.words) <= 100 else f"{self.words[:100]}..."
        return f"{self.file} holds what only {self.source} may say: {shown}"


def answers_kept_back(plan: Plan, root: Path = ROOT) -> dict[str, str]:
    """Every telling piece of an answer that must not be in the handout, and where it is from."""
    shown = {piece for lab in all_labs() if plan.shows(lab) for piece in _pieces(lab.solution.read_text("utf-8"))}
    kept: dict[str, str] = {}
    for lab in all_labs():
        if not plan.shows(lab):
            bodies = regions(lab.solution.read_text(encoding="utf-8"))
            for number, body in bodies.items():
                kept |= dict.fromkeys(_pieces(body), f"{lab.path}/solution.py, TODO {number},")
    for path in sorted((root / "solutions" / "properties").glob("*.py")):
        kept |= dict.fromkeys(_pieces_of_properties(path), path.relative_to(root).as_posix())
    return {piece: source for piece, source in kept.items() if piece not in shown}


def _pieces(code: str) -> Iterator[str]:
    """The whole, each two neighbouring lines, each long line; of the latter only what is telling."""
    lines = list(_logical_lines(code))
    yield "".join(lines)
    yield from (one + other for one, other in pairwise(lines) if len(one + other) >= LONG)
    yield from (line for line in lines if len(line) >= LONG)


def _pieces_of_properties(path: Path) -> Iterator[str]:
    """Long lines of written properties; what the file shares with the one that students get is no answer."""
    given = squeezed((ROOT / "labs" / path.stem / path.name.replace(path.stem, "properties")).read_text("utf-8"))
    lines = list(_logical_lines(path.read_text(encoding="utf-8")))
    pairs = (one + other for one, other in pairwise(lines))
    yield from (pair for pair in pairs if len(pair) >= 2 * LONG and pair not in given)


def _logical_lines(code: str) -> Iterator[str]:
    """The lines of a piece of code as Python reads them, without white space and comments.

    >>> list(_logical_lines("    x = f(1,  # one\\n          2)\\n    return x\\n"))
    ['x=f(1,2)', 'returnx']
    """
    line = ""
    margin = re.match(r"\s*", code)
    dedented = re.sub(rf"^{margin[0]}" if margin and margin[0] else "^", "", code, flags=re.M)
    for token in tokenize.generate_tokens(io.StringIO(dedented).readline):
        if token.type == tokenize.NEWLINE and line:
            yield line
            line = ""
        elif token.type not in _LAYOUT:
            line += squeezed(token.string)


def squeezed(text: str) -> str:
    """A text without any white space.

    >>> squeezed(" a b\\n")
    'ab'
    """
    return "".join(text.split())


def leaks(files: Mapping[str, bytes], kept: Mapping[str, str]) -> list[Leak]:
    """Where answers stand in files, by their paths."""
    found = []
    for name, content in files.items():
        text = _readable(name, content)
        found += [Leak(name, source, piece) for piece, source in kept.items() if piece in text]
    return found


def _readable(name: str, content: bytes) -> str:
    """What a file says, squeezed: as it stands, and as code where it is code."""
    text = content.decode("utf-8", "replace")
    if name.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        pages = ["".join(cell["source"]) for cell in cells] + list(_outputs(cells))
        return "\n".join(map(_as_code, pages)) + squeezed("\n".join(pages))
    return squeezed(text) + ("\n" + _as_code(text) if name.endswith((".py", ".txt")) else "")


def _outputs(cells: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Every text that a notebook's cells have printed or shown."""
    waiting: list[object] = [cell.get("outputs", []) for cell in cells]
    while waiting:
        this = waiting.pop()
        if isinstance(this, str):
            yield this
        elif isinstance(this, list):
            strings = [each for each in this if isinstance(each, str)]
            yield "".join(strings)
            waiting += [each for each in this if not isinstance(each, str)]
        elif isinstance(this, dict):
            waiting += this.values()


def _as_code(text: str) -> str:
    try:
        return "\n".join(["".join(_logical_lines(text))])
    except (tokenize.TokenError, SyntaxError):
        return ""
