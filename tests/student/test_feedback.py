"""What a run says beside its failures: whom it blames, what share of the tests ran, and what to do next."""

import pytest

from course.student.core.catalog import find_lab
from course.student.core.starters import digests
from course.student.core.wrong_answers import bank
from tests.copies import copy_course
from tests.runs import LAB_01, grade, pytest_run, solution, starter, with_function, without

FORGETS_ALL = "return bytes(len(args))"  # an answer that no wrong answer of the bank gives


def test_a_lead_is_shown_by_running_the_test_again(tmp_path):
    """A wrong parse_atoms does no harm to a wrong token_mask; a wrong advance is why a right token_mask fails."""
    broken = with_function(solution(), "token_mask", FORGETS_ALL)
    run = grade(with_function(broken, "parse_atoms", FORGETS_ALL), tmp_path, "-k=atoms or mask_of_a")
    assert run.counts[1] > 1 and "mend that first" not in run.out
    run = grade(with_function(solution(), "advance", FORGETS_ALL), tmp_path, "-k=mask_equals")
    assert "passes once TODO 1, advance, is right: mend that first" in run.out
    run = grade(with_function(broken, "advance", FORGETS_ALL), tmp_path, "-k=mask_equals")
    assert run.counts[1] and "mend that first" not in run.out


def test_two_wrong_functions_are_both_named(tmp_path):
    """Where neither alone mends a test, and both together do, the message says so."""
    broken = with_function(solution(), "parse_atoms", "raise SyntaxError")
    broken = with_function(broken, "compile_pattern", "return len(parse_atoms(*args))")
    run = grade(broken, tmp_path, "-k=alone and compile_pattern")
    assert "Two TODOs are wrong here: this test passes once TODO 4, parse_atoms, is right as well." in run.out


def test_a_known_mistake_is_looked_for_in_the_function_alone(tmp_path):
    """A right function that calls a wrong one is not blamed, and a known mistake is found beside another."""
    known = next(answer for answer in bank(find_lab(2)) if answer.name == "ignores_the_given_state")
    run = grade(known.submission(), tmp_path, "-k=mask")
    assert "mend that first" in run.out and "seems to go wrong" not in run.out
    run = grade(with_function(known.submission(), "token_mask", FORGETS_ALL), tmp_path, "--todo=1")
    assert f"What seems to go wrong: {known.mistake}" in run.out


OF_A_REPETITION = ("each_round_uses_one_up (2), you_get_at_least_and_at_most_so_many_rounds (7), ", "character_class")
"""Tests that ``a{2}`` fails if its rounds may be skipped: some of its own TODO, and some of the whole compiler."""


@pytest.mark.parametrize("where", [(), ("-n", "2")], ids=["one process", "two"])
def test_one_slip_is_one_failure(tmp_path, where):
    """The mistake, its hint and the smallest counterexample are shown once, however many tests fail with it."""
    slip = next(answer for answer in bank(find_lab(6)) if answer.name == "mandatory_rounds_may_be_skipped")
    only = "-k=each_round or at_most_so_many or quantifier or character_class"  # what is quick to run again
    run = grade(slip.submission(), tmp_path, only, *where, lab=find_lab(6).folder)
    assert run.counts[1] > 10 and "1 failed, " in run.out and " wrong in one place, 0 todo" in run.lines[-1]
    for said in (
        slip.mistake,
        f"hint 06.{slip.todo} {slip.hint}",
        "What should happen",
        "reading, a+ leads to",
        *OF_A_REPETITION,
    ):
        assert run.out.count(said) == 1, said
    assert f"{run.counts[1] - 1} more tests fail with it: each_round_uses_one_up" in run.out


def test_an_error_is_shown_with_the_call_that_raised_it(tmp_path):
    """An object that has no text is left out, and so are the repeated lines of a recursion."""
    broken = with_function(solution(1), "generate", "return generate(*args)")
    run = grade(broken, tmp_path, "-k=ends_where_nothing", lab=LAB_01.folder)
    assert run.out.count("in generate: return generate(*args)") == 1 and "raised RecursionError" in run.out
    assert "    the call: generate(…, (" in run.out and " at 0x" not in run.out


def test_two_slips_are_two_failures(tmp_path):
    """Each has its own counterexample, the earlier TODO first; tests of a third TODO count with the one to mend."""
    broken = with_function(solution(), "advance", FORGETS_ALL)
    run = grade(with_function(broken, "parse_atoms", FORGETS_ALL), tmp_path, "-k=advance or mask_equals or atoms")
    assert run.counts[1] > 10 and "2 failed, " in run.out and " wrong in 2 places, " in run.lines[-1]
    first, second = (run.out.index(f"TODO {named} · hints: ") for named in ("1, advance", "4, parse_atoms"))
    assert first < second and "mend that first" not in run.out and run.out.count("fail with it: ") == 2


def test_a_file_that_does_not_load_is_one_failure(tmp_path):
    run = grade("import no_such_module\n", tmp_path)
    assert run.counts[1] > 50 and "1 failed" in run.out and " wrong in one place, " in run.lines[-1]


def test_a_remembered_call_does_not_hide_a_known_mistake(tmp_path):
    """The known mistake is looked for in a file that is loaded anew."""
    grown = next(answer for answer in bank(find_lab(4)) if answer.name == "ids_of_the_last_call")
    run = grade(grown.submission(), tmp_path, "--todo=5", lab=find_lab(4).folder)
    assert f"What seems to go wrong: {grown.mistake}" in run.out
    assert "python3 -m course hint 04.5 3" in run.out


@pytest.mark.parametrize(
    ("source", "option", "last"),
    [
        (solution(1), "-k=whole_text", "tests run · next: the whole lab, python3 -m course test 01"),
        (starter(1), "-k=whole_text", "tests run · next: TODO"),
        (solution(1), "--todo=5", "next: the whole lab, python3 -m course test 01"),
        (with_function(starter(1), "could_match", "return __import__('re').match(*args)"), "--todo=1", "next: TODO 1"),
        (without(1, range(2, 7)), "--todo=1", "next: TODO 2, build_mask"),
        (solution(1), "--todo=6", "next: the whole lab, python3 -m course test 01"),
    ],
)
def test_a_slice_is_not_the_whole(tmp_path, source, option, last):
    run = grade(source, tmp_path, option, lab=LAB_01.folder)
    assert last in run.lines[-1] and "done" not in run.lines[-1]


def test_tests_that_wait_for_another_todo_do_not_change_the_order(tmp_path):
    run = grade(without(9, range(1, 8)), tmp_path, "--todo=8", lab=find_lab(9).folder)
    assert run.counts[1] == 0 < run.counts[2]
    assert "right so far, the rest needs TODO 5 too" in run.lines[-1]
    assert run.lines[-1].endswith("next: TODO 1, advance_state")
    # Where every test waits, nothing is known to be right.
    steps = with_function(starter(12), "step", "return frozenset()")
    run = grade(steps, tmp_path, "--todo=3", lab=find_lab(12).folder)
    assert run.counts[0] == 0 and "nothing is tested yet, that needs TODO 2 too" in run.lines[-1]


def test_misspelled_variables_are_named(tmp_path):
    run = grade(solution(1), tmp_path, "--todo=1", lab=LAB_01.folder, LAB_CHIAN="mine")
    assert run.out.count("LAB_CHIAN means nothing here; the course reads LAB_IMPL and LAB_CHAIN.") == 2


def test_edited_files_of_the_course_are_named(tmp_path):
    copy = copy_course(tmp_path / "copy")
    tests = copy / LAB_01.path / "test_lab.py"
    tests.write_text(tests.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    run = pytest_run(LAB_01.path, "--todo=1", cwd=copy, PYTHONPATH=str(copy))
    assert f"{LAB_01.path}/test_lab.py is not the course's own: it was edited." in run.out
    assert f"{LAB_01.path}/solution.py is not" not in run.out
    assert set(digests(LAB_01)) == {"solution.py", "test_lab.py"}


def test_lab_impl_holds_for_the_command_too(course, monkeypatch, tmp_path):
    """A path in LAB_IMPL is graded, relative to where the command is given."""
    asked = []
    monkeypatch.setattr("course.student.run.batch.run_pytest", lambda arguments: asked.append(arguments) or 0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAB_IMPL", "mine.py")
    assert course("test", "05.5")[0] == 0 and f"--impl={tmp_path / 'mine.py'}" in asked[0]
    monkeypatch.delenv("LAB_IMPL")
    assert course("test", "05")[0] == 0 and "--impl=starter" in asked[1]


def test_one_hint_by_its_number(course):
    status, out, _ = course("hint", "01.6", "2")
    assert status == 0 and "hint 2 of 3" in out and "hint 1" not in out and "The next one" not in out
    status, _, said = course("hint", "01.6", "4")
    assert status != 0 and "TODO 01.6 has hints 1 to 3" in said
