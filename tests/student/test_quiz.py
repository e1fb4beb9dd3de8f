"""Quizzes: every answer is what its expression computes, and a missed question comes again two labs later."""

import ast
import io
import json
import re
from importlib import import_module
from types import FunctionType
from unittest.mock import Mock

import numpy as np
import pytest
from rich.console import Console

from course.student.commands.quiz import questions, quiz
from course.student.core.catalog import all_labs, find_lab
from course.student.core.hints import lab_data

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
EACH = pytest.mark.parametrize(
    ("lab", "number"), [pytest.param(lab, n, id=f"{lab.label}.{n + 1}") for lab in all_labs() for n in range(3)]
)


class BrokenProof(Exception):
    """What a lab's functions raise when a proof has to do without them."""


def refused(function, patterns):
    """The patterns on which a function raises."""

    def fails(pattern):
        try:
            function(pattern)
        except ValueError:
            return True
        return False

    return [pattern for pattern in patterns if fails(pattern)]


def proved(question, lab):
    """Return what a question's proof computes: the value of its last line, as texts."""
    names = {"lab": lab, "np": np, "re": re, "refused": refused, "options": list(question.options)}
    *before, last = ast.parse(question.shown).body
    assert isinstance(last, ast.Expr), "the last line of a proof gives the options that are right"
    exec(compile(ast.Module(before, []), "proof", "exec"), names)
    return {str(option) for option in eval(compile(ast.Expression(last.value), "proof", "eval"), names)}


@EACH
def test_a_proof_computes_the_answer_and_no_other(lab, number):
    question, solution = questions(lab)[number], import_module(f"labs.{lab.name}.solution")
    found = proved(question, solution)
    assert found == {*question.answer}, f"{question.ask}: {found}"
    assert question.is_right(" ".join("abcdef"[question.options.index(each)] for each in found))


@EACH
def test_a_proof_computes_with_the_functions_of_its_lab(lab, number, monkeypatch):
    """Without the functions that a student writes in this lab no proof gives anything."""
    solution = import_module(f"labs.{lab.name}.solution")

    def broken(*arguments, **named):
        raise BrokenProof

    for todo in lab_data(lab).todos.values():
        if isinstance(getattr(solution, todo.function), FunctionType):
            monkeypatch.setattr(solution, todo.function, broken)
    with pytest.raises(BrokenProof):
        proved(questions(lab)[number], solution)


@EACH
def test_a_question_has_options_to_choose_from(lab, number):
    question = questions(lab)[number]
    assert question.ask.endswith("?") and question.why.endswith((".", "é."))
    assert not any("`" in option for option in question.options)
    assert question.ask.count("`") % 2 == question.why.count("`") % 2 == 0
    assert 2 <= len(question.options) <= 6 and len({*map(str.casefold, question.options)}) == len(question.options)
    assert 0 < len(question.answer) < len(question.options) and {*question.answer} < {*question.options}
    assert question.answer == [option for option in question.options if option in question.answer]
    # A letter names an option by its place, so an option that is a letter would mean two.
    assert not {*question.options} & {*"abcdef"}
    assert not question.is_right("") and not question.is_right("abcdef")


@LABS
def test_a_lab_asks_three_questions_that_its_page_has_not_answered(lab):
    """The page predicts something at its top; a question with the same options would ask for it once more."""
    assert len(questions(lab)) == 3
    page = (lab.folder / "README.md").read_text(encoding="utf-8").partition("\n## Your TODOs")[0]
    told = {*re.findall(r"`([^`]+)`", page)}
    assert not [question.ask for question in questions(lab) if {*question.options} <= told]


def letters(question):
    """The letters of what is right."""
    return " ".join("abcdef"[question.options.index(each)] for each in question.answer)


def asked(lab, answers, file):
    """What is printed for these answers."""
    console = Console(file=io.StringIO(), width=200)
    assert quiz(lab, console, Mock(side_effect=[*answers, EOFError]), file) == 0
    return console.file.getvalue()


def test_a_missed_question_comes_again_two_labs_later(tmp_path):
    file = tmp_path / "kept" / "quiz.json"
    first, third = find_lab(1), find_lab(3)
    said = asked(first, ["2.0, `3.14`", "b", "10000"], file)
    assert said.count("Right.") == 2 and "The answer is a: `0`." in said
    assert said.endswith("2 of 3 right. What you've missed comes again in the quiz of lab 03.\n")
    right = [" ".join(question.answer) for question in questions(third)]
    said = asked(third, [*right, "a"], file)
    assert "(again, from lab 01)  Tokens 0, 1 and 2 have" in said and said.endswith("4 of 4 right.\n")
    assert json.loads(file.read_text(encoding="utf-8"))[first.name] == []


@pytest.mark.parametrize("damage", [None, "", "[1", "[1]", "null"])
def test_the_end_of_the_input_ends_the_quiz_and_a_damaged_file_does_not(tmp_path, damage):
    file = tmp_path / "quiz.json"
    if damage is not None:
        file.write_text(damage, encoding="utf-8")
    said = asked(find_lab(2), [], file)
    assert "The answer is" not in said and said.endswith("Nothing answered.\n") and "2 of 3" not in said
    everything = ["abcdef"[: len(question.options)] for question in questions(find_lab(15))]
    assert asked(find_lab(15), everything, file).endswith("0 of 3 right.\n"), "no lab comes after it"


@LABS
def test_a_fresh_clone_has_no_question_from_another_lab(lab, tmp_path):
    assert asked(lab, [], tmp_path / "quiz.json").startswith("1 of 3  ")
    said = asked(lab, map(letters, questions(lab)), tmp_path / "quiz.json")
    assert "(again" not in said and said.endswith("3 of 3 right.\n")


def test_a_slip_of_the_finger_is_no_answer(tmp_path):
    answers = [word for question in questions(find_lab(2)) for word in ("z", "", "a z", "?", letters(question))]
    said = asked(find_lab(2), answers, tmp_path / "quiz.json")
    assert said.count("Please name options by their letters, a to ") == 12 and said.endswith("3 of 3 right.\n")
