"""What a run says about all kinds of submissions: outcomes, failure messages, and files that try to harm it."""

import re
import sys

import pytest

from course.student.core.catalog import ROOT
from course.student.core.hints import lab_data
from course.student.core.trace import student_frame
from labs.own_files import MARK
from tests.runs import LAB_01, LAB_02, grade, process, pytest_run, solution, starter, with_function

ATOMS = "-k=test_parse_atoms"
ADVANCE = "--todo=1"
GET = "fsm.transitions[current].get"


def test_the_pristine_starter_is_all_todo_and_every_todo_has_its_row(tmp_path):
    """A row has as many tests as a run of that TODO alone."""
    run = grade(starter(), tmp_path)
    passed, wrong, todo = run.counts
    assert (passed, wrong) == (0, 0) and todo > 50 and run.status == 1
    assert "FAILURES" not in run.out and "Traceback" not in run.out and "python3 -m course hint 02.1" in run.out
    assert run.lines[-1].endswith("next: TODO 1, advance")
    rows = [line for line in run.lines if line.startswith("lab 02, TODO ")]
    assert [int(row.split()[3]) for row in rows] == list(range(1, 7)) and rows[0].split()[4] == "advance"
    written = next(row for row in rows if " parse_atoms " in row)
    assert f" {sum(grade(starter(), tmp_path, '--todo=4').counts)} tests " in written


def advance_that(body):
    """The reference with another body of ``advance``."""
    return with_function(solution(), "advance", body)


MASKED = "np.ma.MaskedArray([1]).tofile('nowhere')"
"""NumPy says NotImplementedError too; then the student's function is written, and wrong."""


RIGHT, NO_ATOMS = solution(), "submission.py has no function parse_atoms"


@pytest.mark.parametrize(
    ("source", "option", "said"),
    [
        ("import no_such_module\n", ATOMS, ["ModuleNotFoundError: No module named 'no_such", "submission.py:1"]),
        ("def advance(fsm:\n    pass\n", ATOMS, ["SyntaxError", "submission.py", "def advance(fsm:"]),
        ("import sys\nsys.exit(0)\n", ATOMS, ["SystemExit"]),
        ("", ATOMS, [NO_ATOMS]),
        (RIGHT.replace("parse_atoms(", "parsed_atoms("), ATOMS, [NO_ATOMS]),
        (RIGHT.replace("(fsm: Fsm, state: int, text: str)", "(fsm)"), ADVANCE, ["TypeError", "positional argument"]),
        (advance_that(MASKED), ADVANCE, ["NotImplementedError: MaskedArray.tofile() not implemented yet"]),
        (advance_that("raise SystemExit(0)"), ADVANCE, ["it ends the program"]),
        (advance_that("return 1 / 0"), ADVANCE, ["submission.py raised ZeroDivisionError: ", "in advance: return"]),
        (RIGHT.replace(f"{GET}(char) if", f"{GET}(char, current) if"), ADVANCE, ["state 0 --'x'--> dead"]),
    ],
)
def test_a_fault_is_told_in_words(tmp_path, source, option, said):
    run = grade(source, tmp_path, option)
    assert all(words in run.out for words in said) and run.status == 1, run.out
    assert run.counts[1] > 0 and run.counts[2] == 0 and "ERROR collecting" not in run.out and "Traceback" not in run.out
    assert (run.counts[0] == 0) == (RIGHT not in source) or option == ADVANCE
    assert run.out.count("SyntaxError") == ("SyntaxError" in said), "once, however many tests it stops"


BROKEN = (
    "def broken(self): raise SystemExit\n"
    "kind = type('Broken', (ValueError,), {'__str__': broken, '__repr__': broken})\n"
    "noted = ValueError()\n"
    "noted.__notes__ = 5\n"
    "raise [kind(), noted, SyntaxError(5), InvalidPattern('x', 3, 'a'), LimitExceeded('x', '9')][len(args[0]) % 5]"
)


@pytest.mark.parametrize("where", [(), ("--pipe",)])
def test_an_error_that_cannot_be_shown_fails_its_own_test_alone(tmp_path, where):
    source = "from labkit.errors import *\n" + solution()
    broken = with_function(source, "parse_atoms", BROKEN.replace("\n", "\n    "))
    run = grade(broken, tmp_path, "-k=atoms or patterns_that or advance", *where)
    passed, wrong, todo = run.counts
    assert run.status == 1 and "INTERNALERROR" not in run.out
    assert passed > 5 < wrong and todo == 0 and "BROKE OFF" not in run.out, run.out


def test_a_hard_exit_is_reported_by_the_command(tmp_path):
    """os._exit takes pytest along. Its status may be the one by which pytest refuses arguments: nothing was graded."""
    file = tmp_path / "submission.py"
    file.write_text("import os\nos._exit(4)\n", encoding="utf-8")
    status, said = process(ROOT, "-m", "course", "test", "02", f"--impl={file}")
    assert status == 70 and "broke off" in said


def test_an_endless_loop_at_import_is_waited_for_once(tmp_path):
    log = tmp_path / "log"
    looping = f"open({str(log)!r}, 'a').write('once')\nwhile True:\n    pass\n"
    run = grade(looping, tmp_path, ADVANCE, "--lab-timeout=0.3")
    assert run.out.count("stopped after") == 1 and "in <module>" in run.out and run.counts[1] > 10
    assert log.read_text() == "once"


def test_a_waiting_function_is_named_even_if_another_is_tested(tmp_path):
    """compile_pattern is written, parse_atoms is not: what waits is parse_atoms."""
    text = lab_data(LAB_02).todos[4].raise_text(LAB_02)
    run = grade(with_function(solution(), "parse_atoms", f"raise NotImplementedError({text!r})"), tmp_path, "--todo=6")
    assert "lab 02, TODO 4  parse_atoms" in run.out and "TODO 6  compile_pattern" not in run.out
    assert "lab 02, TODO 6  its " in run.out and "tests wait for TODO 4" in run.out
    assert run.lines[-1].endswith("next: TODO 4, parse_atoms")


def test_last_failed(tmp_path):
    """--lf runs what did not pass: the todos as well."""
    file = tmp_path / "submission.py"
    source = with_function(solution(), "refuse_ambiguity", 'raise NotImplementedError("lab 02, TODO 5")')
    file.write_text(source, encoding="utf-8")
    options = [LAB_02.folder, f"--impl={file}", "--todo=5", *["-p", "cacheprovider", "-o"]]
    options.append(f"cache_dir={tmp_path / 'cache'}")
    first = pytest_run(*options)
    again = pytest_run(*options, "--lf")
    assert first.counts[2] == again.counts[2] + again.counts[1] > 0 == again.counts[0]


def test_two_processes_count_alike(tmp_path):
    alone = grade(starter(), tmp_path, ADVANCE)
    together = grade(starter(), tmp_path, ADVANCE, "-n", "2")
    assert alone.counts == together.counts and together.lines[0].startswith("lab 02 · grading submission.py")
    # Each run writes the file anew: the minute of its edit may differ.
    last, other = (re.sub(r"edited \d\d:\d\d", "", run.lines[-1]) for run in (alone, together))
    assert last == other and "graded submission.py" in last


def test_the_debugger_is_not_interrupted(tmp_path):
    """Under --pdb there is no time limit, and the prompt stands in the student's own frame."""
    source = advance_that("return undefined_name")
    file = tmp_path / "submission.py"
    file.write_text(source, encoding="utf-8")
    options = [f"--impl={file}", ADVANCE, "--pdb", "--lab-timeout=0.1"]
    run = pytest_run(LAB_02.folder, *options, stdin="import time; time.sleep(0.3)\nw\nq\n")
    assert "-> return undefined_name" in run.out and "stopped after" not in run.out


def test_a_console_without_unicode_or_colour(tmp_path):
    run = grade(starter(), tmp_path, ADVANCE, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C", NO_COLOR="1")
    assert run.out.isascii() and "\x1b" not in run.out
    assert run.lines[-1].startswith("lab 02 - graded submission.py") and run.counts[2] > 10


def test_a_full_traceback_can_be_had(tmp_path):
    run = grade(advance_that("return {}['key']"), tmp_path, ADVANCE, "--tb=long", "-x")
    assert "test_lab.py" in run.out and "KeyError" in run.out


def test_a_todo_that_ran_out_of_time_is_waited_for_once(tmp_path):
    source = advance_that("while True: pass")
    run = grade(source, tmp_path, ADVANCE, "--tb=line", "--lab-timeout=0.3")
    assert 1 <= run.out.count("stopped after 0.3 s of processor time") <= 2, "one test, in one line or two"
    assert run.counts[1] > 10 and f"{run.counts[1] - 1} more tests fail with it" in run.out


@pytest.mark.parametrize("pipe", [(), ("--pipe",)], ids=["here", "pipe"])
def test_a_test_that_needs_more_time_names_it(tmp_path, pipe):
    """The first call takes longer than this run's limit, and the test's own is 10 s."""
    busy = "\n_build, CALLS = build_mask, []\ndef build_mask(*args):\n    import time\n"
    busy += "    CALLS.append(time.thread_time())\n"
    busy += "    while len(CALLS) == 1 and time.thread_time() < CALLS[0] + 0.4:\n        pass\n"
    busy += "    return _build(*args)\n"
    limited = ("-k", "test_each_bit_is_the_answer", "--lab-timeout=0.2", *pipe)
    run = grade(solution(1) + busy, tmp_path, *limited, lab=LAB_01.folder)
    assert run.counts == (1, 0, 0), run.out


def test_success_says_what_comes_next(tmp_path):
    run = grade(solution(1), tmp_path, lab=LAB_01.folder)
    assert run.lines[-1].endswith("done! next: python3 -m course diff 01")


def test_a_todo_that_does_not_exist_is_a_usage_error(tmp_path):
    run = grade(solution(), tmp_path, "--todo=99")
    assert run.status == 4 and "lab 02 has TODO 1 to 6" in run.out


def test_the_summary_is_green_only_where_all_is_well(tmp_path):
    good = grade(solution(), tmp_path, ADVANCE, "--color=yes")
    waiting = grade(starter(), tmp_path, ADVANCE, "--color=yes")
    summary = next(line for line in good.lines if " passed" in line and " in " in line)
    assert "\x1b[31m" not in good.out and "\x1b[32m" in summary
    assert "\x1b[31m" not in waiting.out and "\x1b[33m" in waiting.out, "todo is yellow"


def test_examples_of_property_tests_name_no_objects(tmp_path):
    run = grade(with_function(solution(), "refuse_ambiguity", "return 1"), tmp_path, "-k=exactly_the_ambiguous")
    assert "made=('', [])," in run.out and "object at 0x" not in run.out


def test_a_run_that_breaks_off_never_looks_done(tmp_path):
    """Ctrl-C, as the file under test can raise it in process: what was not graded is not passed over."""
    source = with_function(solution(), "refuse_ambiguity", "raise KeyboardInterrupt")
    run = grade(source, tmp_path, "-k=a_text_that_dies or refus")
    assert run.status == 2 and "THE RUN BROKE OFF" in run.lines[-1] and "done" not in run.lines[-1]


def test_a_frame_without_a_line_is_shown_at_its_functions_first(monkeypatch):
    """An exception raised between two lines leaves none in the traceback."""
    monkeypatch.setitem(globals(), MARK, 2)
    frame = student_frame(sys._getframe(), None)
    assert frame is not None and frame.line == sys._getframe().f_code.co_firstlineno
