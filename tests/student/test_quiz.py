"""Quizzes: every answer is what its expression computes, and a missed question comes again two labs later."""

import io
import json
import re
from importlib import import_module
from itertools import product

import numpy as np
import pytest
import regex
from rich.console import Console

from course.student.commands.quiz import questions, quiz
from course.student.core.catalog import all_labs, find_lab
from labkit.automata import Fsm
from labkit.vocabulary import Vocabulary

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)


def allowed(pattern, prefix, tokens):
    """The tokens that may follow a prefix, by ``regex``."""
    ends = regex.fullmatch(pattern, prefix) is not None
    return [t for t in tokens if (ends if t == "EOS" else regex.fullmatch(pattern, prefix + t, partial=True))]


def refused(function, patterns):
    """The patterns on which a function raises."""

    def fails(pattern):
        try:
            function(pattern)
        except ValueError:
            return True
        return False

    return [pattern for pattern in patterns if fails(pattern)]


def fewest(pattern, prefix, characters):
    """The fewest characters that make a match of a prefix, by trying."""
    tails = ("".join(tail) for n in range(5) for tail in product(characters, repeat=n))
    return len(next(tail for tail in tails if re.fullmatch(pattern, prefix + tail)))


@LABS
def test_answers_are_what_their_expressions_give(lab):
    tools = {"allowed": allowed, "refused": refused, "fewest": fewest, "Fsm": Fsm, "Vocabulary": Vocabulary}
    solution = import_module(f"labs.{lab.name}.solution")
    assert len(questions(lab)) == 3
    for question in questions(lab):
        found = eval(question.shown, tools | {"lab": solution, "np": np, "re": re})
        assert question.is_right(" ".join(map(str, found))), f"{question.ask}: {found}"
        assert question.ask and question.why.endswith(".") and not question.is_right("")


def asked(lab, answers, file):
    """What is printed for these answers."""
    console, lines = Console(file=io.StringIO(), width=200), iter(answers)

    def read(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    assert quiz(lab, console, read, file) == 0
    return console.file.getvalue()


def test_a_missed_question_comes_again_two_labs_later(tmp_path):
    file = tmp_path / "kept" / "quiz.json"
    first, third = find_lab(1), find_lab(3)
    said = asked(first, ["00, `1f`", "1", "10000"], file)
    assert said.count("Right.") == 2 and "The answer is 0." in said and "2 of 3 right" in said
    right = [question.answer for question in questions(third)]
    said = asked(third, [*right, "0"], file)
    assert "4 of 4" in said and "(again, from lab 01)  The logits of ids" in said and "4 of 4 right" in said
    assert json.loads(file.read_text(encoding="utf-8"))[first.name] == []


@pytest.mark.parametrize("damage", [None, "", "[1", "[1]", "null"])
def test_the_end_of_the_input_and_a_damaged_file_lose_nothing(tmp_path, damage):
    file = tmp_path / "quiz.json"
    if damage is not None:
        file.write_text(damage, encoding="utf-8")
    said = asked(find_lab(2), [], file)
    assert said.count("The answer is") == 3 and "0 of 3 right" in said


def test_the_command(course, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("1 00 af\n"))
    monkeypatch.setattr("course.student.commands.quiz.MISSED", tmp_path / "quiz.json")
    status, said, _ = course("quiz", "02")
    assert status == 0 and "Right." in said and "1 of 3 right" in said
    status, _, said = course("quiz", "99")
    assert status != 0 and "99" in said
