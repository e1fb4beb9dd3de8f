"""The bank of wrong answers: small files, each one plausible misconception, spliced into the reference."""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from course.student.core.catalog import ROOT, Lab

BANK = ROOT / "solutions" / "wrong_answers"


@dataclass(frozen=True)
class WrongAnswer:
    """One wrong answer: its mistake in a sentence, the TODO that it gets wrong, the hint that helps, its file."""

    lab: Lab
    name: str
    mistake: str
    todo: int
    hint: int
    path: Path

    def submission(self) -> str:
        """Return the reference with this file's functions in place of its own, as such a student would submit it."""
        return splice(self.lab.solution.read_text(encoding="utf-8"), self.path.read_text(encoding="utf-8"))


@cache
def bank(lab: Lab) -> tuple[WrongAnswer, ...]:
    """Return the wrong answers of a lab, by name; none where the bank was not handed out."""
    answers = []
    for path in sorted((BANK / lab.name).glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
        numbers = {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
        mistake = " ".join((ast.get_docstring(tree) or "").split())
        if not mistake or not {"TODO", "HINT"} <= set(numbers):
            raise ValueError(f"{path.relative_to(ROOT)} needs a docstring of one sentence, TODO = and HINT =")
        answers.append(WrongAnswer(lab, path.stem, mistake, int(numbers["TODO"]), int(numbers["HINT"]), path))
    return tuple(answers)


def splice(reference: str, replacement: str) -> str:
    """Return the reference's text with functions of the same name replaced, and new imports and functions added.

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
    trees = ast.parse(reference), ast.parse(replacement)
    ours, theirs = ({node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)} for tree in trees)
    above, added = ([node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))] for tree in trees)
    if not theirs.keys() & ours.keys():
        raise ValueError(f"none of {sorted(theirs)} is a function of the reference")
    sources = replacement.splitlines(keepends=True)
    new = {name: "".join(sources[node.lineno - 1 : node.end_lineno]) for name, node in theirs.items()}
    lines = reference.splitlines(keepends=True)
    for name, node in sorted(ours.items(), key=lambda item: -item[1].lineno):  # from the end: line numbers stay true
        if name in new:
            lines[node.lineno - 1 : node.end_lineno] = [new.pop(name)]
    last_import = max((node.end_lineno or 0 for node in above), default=0)
    lines.insert(last_import, "".join(ast.unparse(node) + "\n" for node in added))
    return "".join([*lines, *(f"\n\n{source}" for source in new.values())])
