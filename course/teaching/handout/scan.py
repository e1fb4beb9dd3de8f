"""Looking for answers in what is handed out: the proof that nothing of them has slipped in.

Compared is code without white space and comments, so that no other indentation or line length hides it. An answer
counts as found where the whole body of a TODO stands, two neighbouring lines of one, or one long line. Shorter ones
say nothing: ``for char in text:`` stands everywhere.
"""

import io
import json
import tokenize
from collections.abc import Iterator, Mapping
from itertools import pairwise
from textwrap import dedent

from course.student.core.catalog import ROOT, all_labs
from course.student.core.starters import regions
from course.teaching.handout.plan import Handout

LONG = 40
"""So many characters make one line, or two together, telling."""

IN_A_PAGE = 28
"""So many make one telling in a page, which has no code of its own that looks like an answer by chance."""

_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


def answers_kept_back(plan: Handout, least: int = LONG) -> dict[str, str]:
    """Return every telling piece of an answer that must not be in the handout, and where it is from.

    A line, or two together, tell something if they have ``least`` characters.
    """
    shown: set[str] = set()
    kept: dict[str, str] = {}
    for lab in all_labs():
        text = lab.solution.read_text(encoding="utf-8")
        if plan.shows(lab):
            shown.update(_pieces(text, least))
            continue
        for number, body in regions(text).items():
            kept |= dict.fromkeys(_pieces(body, least), f"{lab.path}/solution.py, TODO {number},")
    for path in sorted((ROOT / "solutions" / "properties").glob("*.py")):
        # What written properties share with the file that students get is no answer.
        given = squeezed((ROOT / "labs" / path.stem / "properties.py").read_text(encoding="utf-8"))
        pairs = (one + other for one, other in pairwise(_logical_lines(path.read_text(encoding="utf-8"))))
        telling = (pair for pair in pairs if len(pair) >= 2 * LONG and pair not in given)
        kept |= dict.fromkeys(telling, path.relative_to(ROOT).as_posix())
    return {piece: source for piece, source in kept.items() if piece not in shown}


def _pieces(code: str, least: int) -> Iterator[str]:
    """Yield the whole, each two neighbouring lines, each line; of the latter two only what is long enough to tell."""
    lines = list(_logical_lines(code))
    yield "".join(lines)
    yield from (piece for piece in [*map("".join, pairwise(lines)), *lines] if len(piece) >= least)


def _logical_lines(code: str) -> Iterator[str]:
    """Yield the lines of a piece of code as Python reads them, without white space and comments.

    >>> list(_logical_lines("    x = f(1,  # one\\n          2)\\n    return x\\n"))
    ['x=f(1,2)', 'returnx']
    """
    line = ""
    for token in tokenize.generate_tokens(io.StringIO(dedent(code)).readline):
        if token.type == tokenize.NEWLINE and line:
            yield line
            line = ""
        elif token.type not in _LAYOUT:
            line += squeezed(token.string)


def squeezed(text: str) -> str:
    """Return a text without any white space.

    >>> squeezed(" a b\\n")
    'ab'
    """
    return "".join(text.split())


def leaks(files: Mapping[str, bytes], kept: Mapping[str, str]) -> list[str]:
    """Return in words where answers stand in files, which are given by their paths."""
    found = []
    size = (min(map(len, kept), default=1) + 1) // 2
    having: dict[str, set[str]] = {}
    for piece in kept:
        for start in range(size):
            having.setdefault(piece[start : start + size], set()).add(piece)
    for name, content in files.items():
        text = _readable(name, content.decode("utf-8", "replace"))
        # subtle: of the windows side by side in a text, a piece has a whole one wherever it begins
        windows = {text[start : start + size] for start in range(0, len(text), size)}
        near = set[str]().union(*(having[window] for window in windows & having.keys()))
        for piece, source in kept.items():
            if piece in near and piece in text:
                shown = piece if len(piece) <= 100 else f"{piece[:100]}..."
                found.append(f"{name} holds what only {source} may say: {shown}")
    return found


def _readable(name: str, text: str) -> str:
    """Return what a file says, squeezed: as it stands, and as code where it is code."""
    pages = list(_texts(json.loads(text))) if name.endswith(".ipynb") else [text]
    said = [squeezed("\n".join(pages))]
    for page in pages if name.endswith((".py", ".txt", ".ipynb")) else []:
        try:
            said.append("".join(_logical_lines(page)))
        except (tokenize.TokenError, SyntaxError):
            continue
    return "\n".join(said)


def _texts(node: object) -> Iterator[str]:
    """Yield every text of a notebook: its cells, and all that they have printed or shown."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list) and all(isinstance(each, str) for each in node):
        yield "".join(node)
    elif isinstance(node, (list, dict)):
        for each in node.values() if isinstance(node, dict) else node:
            yield from _texts(each)
