"""The banks of wrong answers keep their rules.

Grading the banks takes minutes; ``python3 -m course check`` does that. Here each has its fingerprint.
"""

import ast
import re
from dataclasses import replace

import pytest

from course.student.core import wrong_answers
from course.student.core.candidate import InProcess
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.core.fingerprints import Misconception, read, recognise
from course.student.core.hints import lab_data
from course.student.core.submission import Loader
from course.student.core.wrong_answers import bank, bank_file, splice
from course.student.run.batch import TestResult
from course.upkeep.bank import rules as bank_rules
from course.upkeep.bank.messages import message_problems

LABS = all_labs()


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_a_bank_file_holds_nothing_but_wrong_answers(lab):
    """What is neither the import nor a wrong answer would be read by nobody: each is whole by itself."""
    [docstring, imported, *functions] = ast.parse(bank_file(lab).read_text(encoding="utf-8")).body
    assert isinstance(docstring, ast.Expr) and isinstance(imported, ast.ImportFrom)
    assert len(functions) == len(bank(lab))


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_each_wrong_answer_has_a_fingerprint_and_shares_it_with_no_other(lab):
    """``python3 -m course sync --check`` says whether the fingerprints are theirs."""
    told = [(int(name.split()[0]), *entry) for name, entry in read(lab).items() if name[0].isdigit()]
    assert sorted(told) == sorted((answer.todo, answer.hint, answer.mistake) for answer in bank(lab))


def test_each_wrong_answer_is_recognised(tmp_path):
    lab = find_lab(2)
    for answer in bank(lab):
        path = tmp_path / f"{answer.name}.py"
        path.write_text(answer.submission(), encoding="utf-8")
        found = recognise(InProcess(lab, Loader({lab.number: path})), lab, answer.todo)
        assert found == Misconception(answer.hint, answer.mistake)


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
        ({"hint": 4}, "hint 4"),
        ({"hint": 0}, "hint 0"),
        ({"mistake": "You stop. You start. You stop."}, "a sentence or two"),
        ({"mistake": "no full stop"}, "a sentence or two"),
        ({"source": "    pass\n" * 21}, "has 21 lines; show the mistake in 20"),
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


def test_a_wrong_answer_that_replaces_nothing_is_refused():
    with pytest.raises(ValueError, match=r"'def h\(\):' is no function of the reference"):
        splice("def f():\n    return 1\n", "def h():\n    return 2\n")


TAUGHT = (
    "advance(0, 'x')\n    expected None\n    yours    0\n\nWhat should happen: It dies.\n"
    "What seems to go wrong: You stop.\nTODO 1, advance · hint 2 helps: python3 -m course hint 02.1 2"
)


@pytest.mark.parametrize(
    ("part", "instead", "problem"),
    [
        ("What should happen: It dies.", "This dies.", "doesn't say what should happen"),
        ("You stop.", "You go.", "doesn't name the mistake"),
        ("02.1 2", "02.1", "doesn't end with hint 2"),
        ("expected None", "expected " + "None, " * 200, "is too long"),
        ("advance(0, 'x')\n    expected", "assert x\n    expected", "shows the test's code"),
        ("advance(0, 'x')\n    expected", "mine.py raised KeyError\n    expected", "shows an error without the call"),
        (
            "advance(0, 'x')\n    expected None\n    yours    0",
            "the ids\n    expected [1]\n    yours    []",
            "the tokens",
        ),
    ],
)
def test_a_message_that_does_not_teach_is_noticed(part, instead, problem):
    """``make check`` asks that of each mistake's own message."""
    answer = replace(ANSWER, todo=1, hint=2, mistake="You stop.")
    result = replace(results("wrong")[0], told=TAUGHT)
    assert message_problems([answer], [[result]]) == [] and part in TAUGHT
    [noticed, *_] = message_problems([answer], [[replace(result, told=TAUGHT.replace(part, instead, 1))]])
    assert problem in noticed and "made_up: the message of test_1 " in noticed


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_a_mistake_is_told_to_the_person_who_made_it(lab):
    told = {answer.name: answer.mistake for answer in bank(lab)}
    assert {name: line for name, line in told.items() if not re.search(r"\b[Yy]ou(r|rs|'\w+)?\b", line)} == {}


# Reading a file of the bank ------------------------------------------------------------------------

GOOD = '''
@mistake("advance", hint=2)
def stays(
    fsm, state, text
):
    """Nothing
    moves.
    """

    def same(advance):
        return advance

    return same(state)
'''


@pytest.fixture
def read_bank(tmp_path, monkeypatch):
    """Read a bank of lab 02 with this text."""
    monkeypatch.setattr(wrong_answers, "BANK", tmp_path)

    def read(text):
        bank_file(find_lab(2)).write_text(text, encoding="utf-8")
        return bank.__wrapped__(find_lab(2))

    return read


def test_a_wrong_answer_is_read_from_its_function(read_bank):
    """It gets the student's name in its first line alone, and loses the sentence."""
    [answer] = read_bank(GOOD)
    assert (answer.name, answer.mistake, answer.todo, answer.hint) == ("stays", "Nothing moves.", 1, 2)
    assert answer.function == "advance"
    names = {}
    exec(answer.source, names)
    assert names["advance"](None, 5, "x") == 5 and "Nothing" not in answer.source
    assert answer.source.startswith("def advance(\n    fsm, state, text\n):\n")


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ("Nothing\n    moves.\n    ", ""),
        ('"advance", ', ""),
        ('"advance"', '"softmax"'),
        (", hint=2", ""),
        ("hint=2", "hint='mild'"),
        ('@mistake("advance", hint=2)\n', ""),
    ],
)
def test_a_wrong_answer_without_its_mark_or_its_sentence_is_refused(read_bank, change, to):
    assert change in GOOD
    needs = "needs a docstring of one sentence, and @mistake"
    wanted = "replaces 'softmax', which is no TODO" if to == '"softmax"' else needs
    with pytest.raises(ValueError, match=f"^lab_02.py: stays {wanted}"):
        read_bank(GOOD.replace(change, to, 1))


def test_two_of_one_name_are_refused(read_bank):
    with pytest.raises(ValueError, match="two wrong answers of one name"):
        read_bank(GOOD + GOOD)


# The instructors' notes ---------------------------------------------------------------------------


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_the_notes_name_every_wrong_answer_and_none_that_is_not_there(lab):
    note = (ROOT / "solutions" / f"{lab.name}.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+(?:_[a-z0-9]+)+)`", note))
    functions = {todo.function for todo in lab_data(lab).todos.values()}
    assert named - functions == {answer.name for answer in bank(lab)}
