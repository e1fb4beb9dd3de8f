'''The bank of wrong answers: for each lab a file of functions, each with one plausible mistake.

A function of the bank is named for its mistake and says whose place it takes; its docstring is the misconception:

    @mistake("advance", hint=1)
    def ignores_the_given_state(fsm, state, text):
        """The walk starts in the initial state, not in the given one."""
        state = fsm.initial
        ...

Its body is read in the reference's place, so it may use whatever ``solution.py`` has, the student's functions by their
own names too. A TODO has no number here: ``hints.toml`` says which function is whose.
'''

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from course.student.core.catalog import ROOT, Lab
from course.student.core.hints import lab_data

BANK = ROOT / "solutions" / "wrong_answers"

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True)
class WrongAnswer:
    """One wrong answer: its name, its mistake in a sentence, the TODO that it gets wrong, and the hint that helps.

    Attributes:
        function: the student's function whose place it takes.
        source: the text of that function, as such a student would have written it.
    """

    lab: Lab
    name: str
    mistake: str
    todo: int
    hint: int
    function: str
    source: str

    def submission(self) -> str:
        """Return the reference with this function in place of its own, as such a student would submit it."""
        return splice(self.lab.solution.read_text(encoding="utf-8"), self.source)


def mistake(function: str, *, hint: int) -> Callable[[_F], _F]:
    """Mark a function of the bank: it takes the place of the student's ``function``, and this hint helps most.

    The mark is read from the text, by `bank`. It changes nothing, and nobody calls what it marks.

    >>> mistake("advance", hint=1)(len) is len
    True
    """
    return lambda marked: marked


def bank_file(lab: Lab) -> Path:
    """Return where the wrong answers of a lab are.

    >>> from course.student.core.catalog import find_lab
    >>> bank_file(find_lab(2)).name
    'lab_02.py'
    """
    return BANK / f"lab_{lab.number:02}.py"


@cache
def bank(lab: Lab) -> tuple[WrongAnswer, ...]:
    """Return the wrong answers of a lab, by name; none where the bank was not handed out.

    Raises:
        ValueError: naming the first function without its mark or its sentence, or with a name that is taken.
    """
    path = bank_file(lab)
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    answers = {node.name: _read(lab, node, text.splitlines(keepends=True)) for node in functions}
    if len(answers) < len(functions):
        raise ValueError(f"{path.name} has two wrong answers of one name")
    return tuple(answers[name] for name in sorted(answers))


def _read(lab: Lab, node: ast.FunctionDef, lines: list[str]) -> WrongAnswer:
    """Return one wrong answer from its function in the lines of the bank's file."""
    numbers = {todo.function: todo.number for todo in lab_data(lab).todos.values()}
    sentence = " ".join((ast.get_docstring(node) or "").split())
    match node.decorator_list:
        case [ast.Call(ast.Name("mistake"), [ast.Constant(function)], [ast.keyword("hint", ast.Constant(int(hint)))])]:
            if function not in numbers:
                raise ValueError(
                    f"{bank_file(lab).name}: {node.name} replaces {function!r}, which is no TODO of {lab.label}"
                )
            if sentence:
                head = lines[node.lineno - 1].replace(node.name, function, 1)
                above, last = lines[node.lineno : node.body[0].lineno - 1], node.body[0].end_lineno
                source = "".join([head, *above, *lines[last : node.end_lineno]])
                return WrongAnswer(lab, node.name, sentence, numbers[function], hint, function, source)
    wanted = 'a docstring of one sentence, and @mistake("FUNCTION", hint=N)'
    raise ValueError(f"{bank_file(lab).name}: {node.name} needs {wanted}")


def splice(reference: str, function: str) -> str:
    """Return the reference's text with this function in place of its own of that name.

    Raises:
        ValueError: if the reference has no such function.

    >>> print(splice("def double(n): return n * 2\\ndef six(): return double(3)", "def double(n): return n + 2\\n"))
    def double(n): return n + 2
    def six(): return double(3)
    """
    [new] = ast.parse(function).body
    lines = reference.splitlines(keepends=True)
    for node in ast.parse(reference).body:
        if isinstance(node, ast.FunctionDef) and isinstance(new, ast.FunctionDef) and node.name == new.name:
            return "".join([*lines[: node.lineno - 1], function, *lines[node.end_lineno :]])
    raise ValueError(f"{function.splitlines()[0]!r} is no function of the reference")
