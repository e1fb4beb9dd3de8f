"""``python3 -m course quiz 03``: a lab's questions to answer before the code, and one of two labs ago."""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from course.student.commands.verdicts import read_kept
from course.student.core.catalog import ROOT, Lab, all_labs

MISSED = ROOT / ".course" / "quiz.json"


@dataclass(frozen=True)
class Question:
    """One question: the words of its answer, why they are right, and an expression that computes them for a test."""

    ask: str
    answer: str
    why: str
    shown: str

    def is_right(self, said: str) -> bool:
        """Return whether someone said these words, in any order; backquotes, commas and capitals do not count.

        >>> Question("Which?", "1 EOS", "", "").is_right("eos, `1`")
        True
        """
        return _words(said) == _words(self.answer)


def _words(text: str) -> set[str]:
    return set(re.sub(r"[`'\"]", "", text.casefold()).replace(", ", " ").split())


def questions(lab: Lab) -> list[Question]:
    """Return the questions in a lab's ``quiz.toml``.

    Raises:
        ValueError: if the lab has none.
    """
    path = lab.folder / "quiz.toml"
    if not path.is_file():
        raise ValueError(f"{lab.label} has no quiz")
    return [Question(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["question"]]


def quiz(lab: Lab, console: Console, read: Callable[[str], str] = input, file: Path | None = None) -> int:
    """Ask the lab's questions, then one of the lab two before: one that was missed, if there is one.

    Args:
        read: asks for a line; the end of the input skips the rest.
        file: where the numbers of missed questions are kept, by lab; None for ``.course``.
    """
    file = file or MISSED
    missed = read_kept(file)
    earlier = [each for each in all_labs() if each.number < lab.number][-2:-1]
    asked = [(lab, number) for number in range(len(questions(lab)))]
    asked += [(each, next(iter(missed.get(each.name, [])), 0)) for each in earlier]
    right = 0
    for number, (whose, index) in enumerate(asked, start=1):
        question = questions(whose)[index]
        again = f" [dim](again, from {whose.label})[/]" if whose != lab else ""
        console.print(f"[bold]{number} of {len(asked)}[/]{again}  {escape(question.ask)}")
        try:
            good = question.is_right(read("your answer: "))
        except EOFError:
            console.print()
            good = False
        right += good
        verdict = "[green]Right.[/]" if good else f"The answer is [bold]{escape(question.answer)}[/]."
        console.print(f"{verdict} {escape(question.why)}\n")
        others = [each for each in missed.get(whose.name, []) if each != index]
        missed[whose.name] = others if good else [index, *others]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(missed), encoding="utf-8")
    console.print(f"{right} of {len(asked)} right. Missed questions come again two labs later.")
    return 0
