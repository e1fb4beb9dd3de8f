"""The bank of wrong answers: small files, each one plausible misconception, spliced into the reference."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course.student.core.catalog import ROOT, Lab

BANK = ROOT / "solutions" / "wrong_answers"


@dataclass(frozen=True)
class WrongAnswer:
    """One wrong answer: its story in a sentence, the TODO that it gets wrong, the hint that helps, its file."""

    lab: Lab
    name: str
    story: str
    todo: int
    hint: int
    path: Path

    def submission(self) -> str:
        """The reference with this file's functions in place of its own: what such a student would hand in."""
        return splice(self.lab.solution.read_text(encoding="utf-8"), self.path.read_text(encoding="utf-8"))


@cache
def bank(lab: Lab) -> tuple[WrongAnswer, ...]:
    """The wrong answers of a lab, by name; none where the bank was not handed out.

    Raises:
        ValueError: if a file lacks its story, its ``TODO`` or its ``HINT``.
    """
    return tuple(_read(lab, path) for path in sorted((BANK / lab.name).glob("*.py")))


def _read(lab: Lab, path: Path) -> WrongAnswer:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    story = (ast.get_docstring(tree) or "").strip()
    numbers = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    if not story or not {"TODO", "HINT"} <= set(numbers):
        raise ValueError(f"{path.relative_to(ROOT)} needs a docstring of one sentence, TODO = and HINT =")
    todo, hint = int(str(numbers["TODO"])), int(str(numbers["HINT"]))
    return WrongAnswer(lab, path.stem, " ".join(story.split()), todo, hint, path)


def splice(reference: str, replacement: str) -> str:
    """The reference's text with functions of the same name replaced, and new imports and functions added.

    Raises:
        ValueError: if no function of the reference is replaced.

    >>> reference = "def f():\\n    return 1\\n\\n\\ndef g():\\n    return f()\\n"
    >>> print(splice(reference, "TODO = 1\\ndef f():\\n    return 2\\n"))
    def f():
        return 2
    <BLANKLINE>
    <BLANKLINE>
    def g():
        return f()
    <BLANKLINE>
    """
    theirs = {node.name: node for node in ast.parse(replacement).body if isinstance(node, ast.FunctionDef)}
    ours = {node.name: node for node in ast.parse(reference).body if isinstance(node, ast.FunctionDef)}
    if not theirs.keys() & ours.keys():
        raise ValueError(f"none of {sorted(theirs)} is a function of the reference")
    lines = reference.splitlines(keepends=True)
    for name, node in sorted(ours.items(), key=lambda item: -item[1].lineno):
        if name in theirs:
            lines[node.lineno - 1 : node.end_lineno] = [_source(replacement, theirs[name])]
    lines.insert(_end_of_imports(reference), _imports(replacement))
    new = [_source(replacement, node) for name, node in theirs.items() if name not in ours]
    return "".join(lines) + "".join(f"\n\n{source}" for source in new)


def _source(text: str, node: ast.FunctionDef) -> str:
    return "".join(text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno])


def _end_of_imports(reference: str) -> int:
    """How many lines there are up to the reference's last import."""
    return max((node.end_lineno or 0 for node in _import_nodes(reference)), default=0)


def _imports(replacement: str) -> str:
    return "".join(ast.unparse(node) + "\n" for node in _import_nodes(replacement))


def _import_nodes(text: str) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
