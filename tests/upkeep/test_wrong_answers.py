"""The banks of wrong answers keep their rules.

Grading a whole bank takes minutes; ``python3 -m course check`` does that. Here two wrong answers of lab 02 are
graded, and each is recognised by its fingerprint.
"""

import ast
import re
from dataclasses import replace

import pytest

from course.student.core import wrong_answers
from course.student.core.candidate import InProcess
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.core.fingerprints import Misconception, recognise
from course.student.core.hints import lab_data
from course.student.core.submission import Loader
from course.student.core.wrong_answers import bank, splice
from course.student.run.batch import TestResult
from course.upkeep.bank import rules as bank_rules

LABS = all_labs()


def test_wrong_answers_are_caught_by_tests_of_their_todo():
    """The first and the last of lab 02; ``python3 -m course check`` tries the whole bank."""
    answers = [bank(find_lab(2))[0], bank(find_lab(2))[-1]]
    results = bank_rules.grade_texts(find_lab(2), [answer.submission() for answer in answers])
    assert bank_rules.result_problems(answers, results) == []


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_every_file_of_the_bank_has_its_form_and_replaces_the_function_of_its_todo(lab):
    assert bank_rules.coverage_problems(lab, bank(lab)) == []
    for answer in bank(lab):
        functions = [node.name for node in ast.parse(answer.path.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert lab_data(lab).todos[answer.todo].function in functions, answer.path.name


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_each_wrong_answer_is_recognised_and_no_other(lab, tmp_path):
    """Later TODOs may call the wrong function, so they may show a kindred mistake; earlier ones never do."""
    first = {answer.todo: answer for answer in reversed(bank(lab))}
    for answer in bank(lab):
        path = tmp_path / f"{answer.name}.py"
        path.write_text(answer.submission(), encoding="utf-8")
        candidate = InProcess(lab, Loader({lab.number: path}))
        assert recognise(candidate, lab, answer.todo) == Misconception(answer.hint, answer.mistake)
        for earlier in range(1, answer.todo if answer is first[answer.todo] else 1):
            assert recognise(candidate, lab, earlier) is None, f"{answer.name} is taken for a mistake in TODO {earlier}"


# The rules themselves notice what they are for ----------------------------------------------------

ANSWER = replace(bank(find_lab(2))[0], todo=1, name="made_up")


def results(*verdicts, message="no"):
    """A test of TODO 1, 2, 3 … for each verdict."""
    return [
        TestResult(f"test_{i}", i, verdict, "" if verdict == "pass" else message)
        for i, verdict in enumerate(verdicts, 1)
    ]


@pytest.mark.parametrize(
    ("todo", "verdicts", "problem"),
    [
        (1, ["pass", "pass"], "passes every test"),
        (1, ["pass", "wrong"], "caught by no test of TODO 1"),
        (2, ["pass", "todo"], "not written yet"),
        (1, ["wrong", "wrong", "pass"], "fails 2 of 3"),
    ],
)
def test_a_bad_wrong_answer_is_noticed(todo, verdicts, problem):
    found = bank_rules.result_problems([replace(ANSWER, todo=todo)], [results(*verdicts)])
    assert len(found) == 1 and problem in found[0] and "made_up" in found[0]


def test_two_that_fail_alike_are_noticed():
    one, other = replace(ANSWER, todo=1, name="one"), replace(ANSWER, todo=1, name="other")
    alike = results("wrong", "pass")
    assert bank_rules.result_problems([one, other], [alike, alike]) == ["lab 02, other fails exactly like one"]
    assert bank_rules.result_problems([one, other], [alike, results("wrong", "pass", message="else")]) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"todo": 10}, "names TODO 10"),
        ({"hint": 4}, "hint 4"),
        ({"hint": 0}, "hint 0"),
        ({"mistake": "It stops. It starts."}, "one sentence"),
        ({"mistake": "no full stop"}, "one sentence"),
        ({"path": ROOT / "README.md"}, "lines; show the mistake in 25"),
    ],
)
def test_a_bad_form_is_noticed(change, problem):
    found = bank_rules.form_problems(replace(ANSWER, **change))
    assert len(found) == 1 and problem in found[0]


def test_a_todo_that_nobody_gets_wrong_is_noticed():
    lab = find_lab(2)
    found = bank_rules.coverage_problems(lab, [answer for answer in bank(lab) if answer.todo != 5])
    assert found == ["lab 02: no wrong answer for TODO 5"]
    assert any("0 wrong answers" in problem for problem in bank_rules.coverage_problems(lab, []))


# Splicing -----------------------------------------------------------------------------------------

REFERENCE = '''"""A lab."""

import re


def f():
    """What it does."""
    return 1


def g():
    return f()
'''


def test_splice_replaces_adds_and_imports():
    wrong = '"""Wrong."""\nimport math\nTODO = 1\n\n\ndef new():\n    return math.pi\n\n\ndef f():\n    return new()\n'
    text, names = splice(REFERENCE, wrong), {}
    exec(text, names)
    assert names["g"]() == pytest.approx(3.14159265)
    assert "What it does" not in text and "TODO" not in text
    assert text.startswith('"""A lab."""\n\nimport re\nimport math\n')


def test_splice_refuses_what_replaces_nothing():
    with pytest.raises(ValueError, match=r"none of \['h'\] is a function of the reference"):
        splice(REFERENCE, "def h():\n    return 2\n")


@pytest.mark.parametrize("missing", ['"""Story."""', "TODO = 1", "HINT = 2"])
def test_a_file_without_its_story_or_numbers_is_refused(tmp_path, monkeypatch, missing):
    lab = find_lab(2)
    (tmp_path / lab.name).mkdir()
    parts = [part for part in ['"""Story."""', "TODO = 1", "HINT = 2"] if part != missing]
    (tmp_path / lab.name / "some.py").write_text("\n".join([*parts, "def advance():", "    return 1", ""]))
    monkeypatch.setattr(wrong_answers, "BANK", tmp_path)
    monkeypatch.setattr(wrong_answers, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"some.py needs a docstring of one sentence, TODO = and HINT ="):
        bank.__wrapped__(lab)


# The instructors' notes ---------------------------------------------------------------------------


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_the_notes_name_every_wrong_answer_and_none_that_is_not_there(lab):
    note = (ROOT / "solutions" / f"{lab.name}.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", note))
    functions = {todo.function for todo in lab_data(lab).todos.values()}
    assert named - functions == {answer.name for answer in bank(lab)}
