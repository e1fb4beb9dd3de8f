"""``python3 -m course mutants 02``: change the reference in hundreds of small ways; each must fail a test.

The changes are cosmic-ray's. The few that no test can notice are listed, each with its reason, in
``solutions/mutants/<lab>.toml``; any other survivor is a gap in the tests.
"""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import count

from rich.console import Console

from course.student.core.catalog import ROOT, Lab
from course.student.core.wrong_answers import bank
from course.student.run.batch import grade_many
from course.upkeep.bank.rules import function_of, grade_texts

MOST_SURVIVORS = 0.05
"""The share of mutants that may survive, those with a reason included."""

_FAILURES = 12
"""A mutant's run stops after so many failures: enough to see which tests notice it, and endless loops end soon."""


@dataclass(frozen=True)
class Mutant:
    """One changed reference: the line before and after, and the whole text."""

    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.before}  ->  {self.after}"


def mutants(reference: str) -> Iterator[Mutant]:
    """Yield every change that cosmic-ray knows, but for those that only touch type annotations, and repetitions."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    before, seen = reference.splitlines(), {_meaning(reference)}
    for name in sorted(operator_names()):
        if name in ("core/VariableInserter", "core/VariableReplacer"):  # these need the name of a variable
            continue
        for occurrence in count():
            changed = mutate_code(reference, get_operator(name)(), occurrence)
            if changed is None:
                break
            if (meaning := _meaning(changed)) in seen:
                continue
            seen.add(meaning)
            after = changed.splitlines()
            blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
            _, first, last, new_first, new_last = next(block for block in blocks if block[0] != "equal")
            old, new = (" ".join(" ".join(lines).split()) for lines in (before[first:last], after[new_first:new_last]))
            yield Mutant(first + 1, old, new, changed)


def lines_of_todos(reference: str) -> set[int]:
    """Return the lines that a student writes.

    >>> sorted(lines_of_todos("def f():\\n    # begin TODO\\n    return 1\\n    # end TODO\\n"))
    [3]
    """
    found, start = set[int](), 0
    for number, line in enumerate(reference.splitlines(), 1):
        if line.strip() == "# begin TODO":
            start = number
        elif line.strip() == "# end TODO":
            found |= {*range(start + 1, number)}
    return found


def _meaning(source: str) -> str:
    """Return the program without its annotations, which do nothing when it runs; empty if it does not parse."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def accepted(lab: Lab) -> dict[tuple[str, str], str]:
    """Return the reasons of the survivors that are listed, by their lines before and after."""
    path = ROOT / "solutions" / "mutants" / f"{lab.name}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []) if path.is_file() else []
    if any(not entry.get("reason", "").strip() for entry in entries):
        raise ValueError(f"{path.relative_to(ROOT)}: every survivor needs its reason")
    return {(entry["before"], entry["after"]): entry["reason"] for entry in entries}


def report(lab: Lab, console: Console) -> int:
    """Run all mutants; return 1 if too many survive, one has no listed reason, or a test notices nothing."""
    reference = lab.solution.read_text(encoding="utf-8")
    todos = lines_of_todos(reference)  # the tests of what is given are in tests/labs
    every = [mutant for mutant in mutants(reference) if mutant.line in todos]
    console.print(f"{lab.label}: {len(every)} mutants of the TODOs in solution.py")
    if not every:
        return 0
    results = grade_texts(
        lab,
        [mutant.source for mutant in every],
        most_failures=_FAILURES,
        seconds=3.0,
        progress=lambda done: console.print(f"  {done} of {len(every)}"),
    )
    survivors = [
        m for m, found in zip(every, results, strict=True) if found and all(r.verdict == "pass" for r in found)
    ]
    reasons = accepted(lab)
    for mutant in survivors:
        reason = reasons.get((mutant.before, mutant.after))
        console.print(f"survived, {mutant}\n    {reason or 'NO REASON LISTED'}", markup=False)
    wrong = grade_texts(lab, [answer.submission() for answer in bank(lab)])
    noticed = {function_of(result) for found in [*results, *wrong] for result in found if result.verdict != "pass"}
    idle = {function_of(result) for result in grade_many(lab, [lab.solution])[0]} - noticed
    for test in sorted(idle):
        console.print(f"{test} notices no mutant and no wrong answer")
    unlisted = [mutant for mutant in survivors if (mutant.before, mutant.after) not in reasons]
    share = len(survivors) / len(every)
    console.print(
        f"{lab.label}: {len(survivors)} of {len(every)} survive ({share:.1%}), {len(unlisted)} without a reason"
    )
    return 1 if unlisted or idle or share > MOST_SURVIVORS else 0
