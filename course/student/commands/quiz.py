"""``python3 -m course quiz 03``: a lab's questions to answer before the code, and one that you missed two labs ago."""

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from rich.console import Console
from rich.text import Text

from course.student.commands.verdicts import read_kept
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.rooms import remember

MISSED = ROOT / ".course" / "quiz.json"


@dataclass(frozen=True)
class Question:
    """One question: its options, those that are right, why, and code that computes them for a test.

    >>> question = Question("Which?", ["1", "`x`", "EOS"], ["1", "EOS"], "", "")
    >>> question.is_right("c a"), question.is_right("eos, `1`"), question.is_right("a b c")
    (True, True, False)
    >>> question.is_right("ac")
    True
    """

    ask: str
    options: Sequence[str]
    answer: Sequence[str]
    why: str
    shown: str

    def is_right(self, said: str) -> bool:
        """Return whether someone named these options and no others."""
        return self.named(said) == {*self.answer}

    def named(self, said: str) -> set[str | None]:
        """Return the options that someone named, by letter or by text; quotes and capitals don't count.

        A word that names no option becomes None, and so does an empty line.
        """
        letters = dict(zip(ascii_lowercase, self.options, strict=False))
        named = letters | {_plain(option): option for option in self.options}
        whole = _plain(said)
        words = [whole] if whole in named else whole.replace(",", " ").split()
        if len(words) == 1 and words[0] not in named and letters.keys() >= {*words[0]}:
            words = [*words[0]]  # letters without spaces
        return {named.get(word) for word in words} or {None}


def _plain(text: str) -> str:
    return re.sub(r"[`'\"]", "", text.casefold()).strip()


def _styled(text: str) -> Text:
    """Return a text in which what stands between backquotes has the colour of code."""
    parts = enumerate(text.split("`"))
    return Text.assemble(*((f"`{part}`", "cyan") if place % 2 else part for place, part in parts))


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
    """Ask the lab's questions, then one of those that were missed in the lab two before.

    Args:
        read: asks for a line; the end of the input ends the quiz.
        file: where the numbers of missed questions are kept, by lab; None for ``.course``.
    """
    file = file or MISSED
    missed = read_kept(file)
    earlier = [each for each in all_labs() if each.number < lab.number][-2:-1]
    asked = [(lab, number) for number in range(len(questions(lab)))]
    asked += [(each, index) for each in earlier for index in missed.get(each.name, [])[:1]]
    right = answered = 0
    for number, (whose, index) in enumerate(asked, start=1):
        question = questions(whose)[index]
        again = f" (again, from {whose.label})" if whose != lab else ""
        console.print(Text.assemble((f"{number} of {len(asked)}", "bold"), (again, "dim"), "  ", _styled(question.ask)))
        for letter, option in zip(ascii_lowercase, question.options, strict=False):
            console.print(Text.assemble(f"  {letter}  ", (option, "cyan")))
        try:
            while None in question.named(said := read("your answer (a letter, or several): ")):
                last = ascii_lowercase[len(question.options) - 1]
                console.print(f"Please name options by their letters, a to {last}.")
        except EOFError:
            console.print()
            break
        good = question.is_right(said)
        answered += 1
        right += good
        named = zip(ascii_lowercase, question.options, strict=False)
        answer = ", ".join(f"{letter}: `{option}`" for letter, option in named if option in question.answer)
        console.print(Text("Right.", "green") if good else _styled(f"The answer is {answer}."), end=" ")
        console.print(_styled(question.why), end="\n\n")
        others = [each for each in missed.get(whose.name, []) if each != index]
        missed[whose.name] = others if good else [index, *others]
    if answered:
        remember(file, json.dumps(missed))
    later = [each.label for each in all_labs() if each.number > lab.number][1:2] if missed.get(lab.name) else []
    again = "".join(f" What you've missed comes again in the quiz of {label}." for label in later)
    console.print(f"{right} of {answered} right.{again}" if answered else "Nothing answered.")
    return 0
