"""``python3 -m course properties 04``: the student writes the tests, and the bank of wrong answers grades them.

A property is a function ``check_…(lab)`` that raises where an implementation is wrong, and holds on the reference. The
file is one test: while a property fails on the reference, the others may kill by luck too, and grading counts nothing.
"""

import ast
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.markup import escape

from course.student.core.candidate import InProcess, LabFunctions
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.examples import within_reach, workalikes
from course.student.core.submission import Loader, quiet
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import safe_text, student_trace
from course.student.core.wrong_answers import bank, bank_file
from labs.own_files import MARK

Property = Callable[[LabFunctions], object]

TIMEOUT = 5.0
"""Seconds that one property may run on one implementation."""

WORDS = {
    "pass": "passes on the reference",
    "todo": "not written yet",
    "wrong": "fails on the reference: until you mend it, nothing that your file kills counts",
}
"""The kinds of a verdict on the reference, and how a report says them."""


@dataclass(frozen=True)
class PropertyVerdict:
    """What one property found on one implementation: ``pass``, ``wrong`` or ``todo``, with its message and place."""

    kind: str
    message: str = ""


def file_of(lab: Lab) -> Path:
    """Return the file in which a lab's properties are written; a ValueError names the labs that have one."""
    path = lab.folder / "properties.py"
    if not path.is_file():
        having = ", ".join(f"{each.number:02}" for each in all_labs() if (each.folder / path.name).is_file())
        raise ValueError(f"{lab.path} has no properties.py; labs with this exercise: {having or 'none'}")
    return path


def load(path: Path, lab: Lab) -> dict[str, Property]:
    """Return the properties that a file defines, in its order, without checks that it imports from elsewhere."""
    source = path.read_bytes()
    space = vars(_module(source, path, lab))
    return {name: space[name] for name in names_of(source)}


def _module(source: str | bytes, path: Path, lab: Lab) -> ModuleType:
    """Return a file's text as a module that failures trace to the file."""
    module = ModuleType(f"labs.{lab.name}.properties_under_test")
    module.__file__ = str(path)
    setattr(module, MARK, lab.number)
    exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def comparison(path: Path, lab: Lab) -> str:
    """Return why a file of properties kills nothing, if it has an implementation of the lab; otherwise nothing."""
    source = path.read_bytes()
    text, names = within_reach(source, leave=names_of(source))
    space = vars(_module(text, path, lab))
    return no_property(workalikes(lab, {name: space[alias] for alias, name in names.items() if callable(space[alias])}))


def no_property(found: Iterable[tuple[str, str]]) -> str:
    """Return the sentence about the first function that does a TODO's work, if there is one.

    >>> no_property([("mask_row", "my_row")]).partition(",")[0]
    "Your function my_row does mask_row's work"
    """
    for function, name in found:
        return (
            f"Your function {name} does {function}'s work, so nothing that this file kills counts yet: where two "
            "implementations differ, you can't know which one is wrong. Take yours out, and check cases whose answer "
            "you can write down, or what must hold for every answer."
        )
    return ""


def names_of(source: str | bytes) -> dict[str, bool]:
    """Return the names of the properties that a file itself defines, in its order, and whether each is written.

    One that raises NotImplementedError, and does nothing else, is not.

    >>> names_of("def check_a(lab): raise NotImplementedError\\ndef check_b(lab): pass\\ndef other(): pass")
    {'check_a': False, 'check_b': True}
    """
    own = {node.name: node for node in ast.parse(source, "properties.py").body if isinstance(node, ast.FunctionDef)}
    bodies = {name: node.body[ast.get_docstring(node) is not None :] for name, node in own.items()}
    says = "raise NotImplementedError"
    return {
        name: len(body) != 1 or not ast.unparse(body[0]).startswith(says)
        for name, body in bodies.items()
        if name.startswith("check_")
    }


def judge(check: Property, implementation: LabFunctions, waits: float = 0.0) -> PropertyVerdict:
    """Run one property on one implementation; whatever it raises is its verdict, an endless loop included."""
    try:
        with time_limit(TIMEOUT, waits=waits):
            check(implementation)
    except (Exception, SystemExit, TimeLimit) as error:
        trace = student_trace(error)
        where = f"\n{trace.frames[-1]}" if trace.frames else ""
        message = f"{type(error).__name__}: {safe_text(error)}".removesuffix(": ")
        return PropertyVerdict("todo" if trace.todo else "wrong", message + where)
    return PropertyVerdict("pass")


def on_reference(properties: Mapping[str, Property], lab: Lab) -> dict[str, PropertyVerdict]:
    """Return the verdict of each property on the reference; where there is none, on the student's own file."""
    right = lab.solution if lab.has_reference else lab.starter
    return {name: judge(check, implementation_of(lab, right)) for name, check in properties.items()}


def implementation_of(lab: Lab, path: Path) -> LabFunctions:
    """Return the functions of an implementation, loaded anew: no property sees what another one has done to it."""
    return LabFunctions(InProcess(lab, Loader({lab.number: path})), path, lab, in_place=True)


def report(lab: Lab, console: Console, file: Path | None = None) -> int:
    """Grade a file of properties; return 0 only if all pass on the reference and together kill the whole bank."""
    path = file or file_of(lab)
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    console.print(f"{lab.label} · properties of {name}\n", markup=False)
    try:
        with time_limit(TIMEOUT):
            properties = load(path, lab)
    except (Exception, SystemExit, TimeLimit) as error:
        console.print(f"{name} does not load: {type(error).__name__}: {safe_text(error)}", markup=False)
        return 1
    if not lab.has_reference:
        console.print(f"This copy holds no reference: in its place stands your {lab.path}/starter.py.\n", markup=False)
    verdicts = on_reference(properties, lab)
    if not verdicts:
        console.print("The file defines no function whose name begins with check_.")
    width = max(map(len, verdicts), default=0)
    for check, verdict in verdicts.items():
        colour = {"pass": "green", "wrong": "red"}.get(verdict.kind, "yellow")
        console.print(f"{check:{width}}  [{colour}]{WORDS[verdict.kind]}[/]")
        if verdict.kind == "wrong":
            console.print("    " + escape(verdict.message.replace("\n", "\n    ")))
    if compares := comparison(path, lab):
        console.print(f"\n{compares}", style="red", markup=False)
        return 1
    good = [properties[check] for check, verdict in verdicts.items() if verdict.kind == "pass"]
    all_killed = _show_kills(good, lab, console)
    return 0 if all_killed and len(good) == len(verdicts) else 1


def _show_kills(good: Sequence[Property], lab: Lab, console: Console) -> bool:
    """Print how many of the bank the properties kill, and what the others do wrong; return whether none is left."""
    answers, left = bank(lab), []
    if not answers:
        console.print(
            "\nThe wrong answers that grade a property are not in this copy of the course (there is no "
            f"{bank_file(lab).relative_to(ROOT)}): your instructor has them, and can run this command."
        )
        return False
    with tempfile.TemporaryDirectory() as folder, quiet():
        for answer in sorted(answers, key=lambda answer: (answer.todo, answer.name)):
            path = Path(folder) / f"{answer.name}.py"
            path.write_text(answer.submission(), encoding="utf-8")
            if all(judge(check, implementation_of(lab, path)).kind == "pass" for check in good):
                left.append(answer)
    console.print(f"\nkills {len(answers) - len(left)} of {len(answers)}", style="bold")
    if left:
        console.print("These are still alive:")
    for answer in left:
        console.print(f"  TODO {answer.todo}  {answer.mistake}", markup=False)
    return not left
