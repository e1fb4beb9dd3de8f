"""Loading the file under test, and LAB_CHAIN=mine: a student's own earlier labs in place of the references."""

import re
import sys
import traceback
from contextlib import ExitStack
from functools import partial
from importlib import import_module

import pytest

import labs.lab_01_naive_matching.solution
from course.student.core.catalog import all_labs, find_lab
from course.student.core.implementation import Implementation, UsageError, resolve
from course.student.core.starters import is_edited
from course.student.core.submission import Loader
from course.student.core.trace import student_trace
from course.student.run.outcomes import judge
from labs.lab_01_naive_matching import solution as reference_01
from labs.own_files import CALLED, MARK, InPlace, is_begun
from tests.copies import begin, copy_course
from tests.runs import LAB_01, LAB_02, process, pytest_run, solution, starter, with_function

MINE_01 = 'def softmax(logits):\n    return "my softmax"\n\n\ndef sample(probs, u):\n    return "my sample"\n'
PACKAGE_01, PACKAGE_02 = (f"labs.{lab.name}" for lab in (LAB_01, LAB_02))


@pytest.fixture
def chain(tmp_path):
    """A function that makes a loader of files with these texts, ``lab_01=…``: in place of references until the end."""
    with ExitStack() as stack:

        def make(*, chained=True, **sources):
            files = {int(name[-2:]): tmp_path / f"{name}.py" for name in sources}
            for file in files.values():
                file.write_text(sources[file.stem], encoding="utf-8")
            stack.enter_context(InPlace(files if chained else {}))
            return Loader(files, chain=chained)

        yield make


def failure(loader, lab=LAB_02):
    """The error with which a lab's file fails to load."""
    with pytest.raises(BaseException) as caught:
        loader.load(lab)
    return caught.value


# Loading --------------------------------------------------------------------------------------------


@pytest.fixture
def counting():
    """Source that counts how often it runs, in ``sys.counted``."""
    yield "import sys\nsys.counted = getattr(sys, 'counted', 0) + 1\n"
    vars(sys).pop("counted", None)


def test_a_file_is_run_once_and_one_that_fails_fails_alike_each_time(chain, counting):
    loader = chain(lab_02=counting)
    assert loader.load(LAB_02) is loader.load(LAB_02) and sys.counted == 1
    loader = chain(lab_02=counting + "1 / 0\n")
    first, frames, depths = failure(loader), [], []
    for _ in range(5):
        error = failure(loader)
        frames.append(len(student_trace(error).frames))
        depths.append(len(list(traceback.walk_tb(error.__traceback__))))
        assert error is first and isinstance(error, ZeroDivisionError) and sys.counted == 2
    assert frames == [1] * 5 and len({*depths}) == 1, "a traceback must not grow with every test"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"# coding: utf-7\nX = 1\n#+AAo-X = 2\n", 1),
        (b"X = 0\r# coding: utf-7\rX = 1\r#+AAo-X = 2\r", 1),
        ("X = 'é'\n".encode("utf-8-sig"), "é"),
    ],
)
def test_what_is_read_is_what_runs_and_other_encodings_are_refused(tmp_path, content, found):
    """In UTF-7, +AAo- ends a line: a reader of UTF-8 sees a comment."""
    (tmp_path / "02.py").write_bytes(content)
    assert found == Loader({2: tmp_path / "02.py"}).load(LAB_02).X
    (tmp_path / "02.py").write_bytes("# coding: utf-16\nX = 'é'\n".encode("utf-16"))
    error = failure(Loader({2: tmp_path / "02.py"}))
    assert isinstance(error, SyntaxError) and "not UTF-8" in str(error)
    assert [frame.lab_number for frame in student_trace(error).frames] == [2]


def test_dataclasses_and_relative_imports_work_in_a_submission(chain):
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from ..lab_01_naive_matching.solution import softmax\n\n\n@dataclass\nclass Pair:\n    left: int\n"
    )
    module = chain(chained=False, lab_02=source).load(LAB_02)
    assert module.Pair(left=3).left == 3 and module.softmax.__code__ == reference_01.softmax.__code__


def test_an_edit_within_the_same_second_counts(tmp_path, chain):
    assert [chain(lab_02=f"value = {n}\n").load(LAB_02).value for n in (1, 2)] == [1, 2]
    assert not list(tmp_path.rglob("*.pyc"))


# The chain: every importer ------------------------------------------------------------------------------

FORMS = {
    "from the module": (f"from {PACKAGE_01}.solution import softmax", "softmax"),
    "the module from its package": (f"from {PACKAGE_01} import solution", "solution.softmax"),
    "plain": (f"import {PACKAGE_01}.solution", f"{PACKAGE_01}.solution.softmax"),
    "relative": (f"from ..{LAB_01.name}.solution import softmax", "softmax"),
    "in a function": (f"def f():\n    from {PACKAGE_01}.solution import softmax\n    return softmax", "f()"),
}


@pytest.mark.parametrize(("statement", "expression"), FORMS.values(), ids=FORMS)
def test_an_import_gets_the_students_file_or_else_the_reference(chain, statement, expression):
    source = f"{statement}\nfound = {expression}\n"
    assert chain(lab_01=MINE_01, lab_02=source).load(LAB_02).found(None) == "my softmax"
    for files in ({"chained": False, "lab_01": MINE_01}, {}):
        assert chain(**files, lab_02=source).load(LAB_02).found.__code__.co_filename == str(LAB_01.solution)


def test_given_code_and_the_engine_get_the_students_file_too(chain):
    """Neither is a student's file, and both import ``solution``."""
    raising = with_function(solution(6), "unfold", "raise RuntimeError('mine')")
    before = import_module("mask_engine")
    chain(lab_06=raising)
    engine = import_module("mask_engine")
    for compiled in (partial(engine.compile_regex, "ab"), partial(engine.compile_json_schema, {"type": "null"})):
        with pytest.raises(RuntimeError, match="mine") as caught:
            compiled().fullmatch("null")
        assert [frame.lab_number for frame in student_trace(caught.value).frames][-1] == 6
    nfa_to_dfa = import_module("labs.lab_12_pushdown.given.gbnf").nfa_to_dfa
    assert nfa_to_dfa.__code__.co_filename.endswith("lab_06.py")
    assert before.compile_regex("ab").fullmatch("ab"), "whoever had the references keeps them"


def test_after_a_block_everybody_has_the_modules_from_before(chain, tmp_path):
    before = {name: module for name, module in sys.modules.items() if name.startswith(("labs", "mask_engine"))}
    (tmp_path / "mine.py").write_text(MINE_01, encoding="utf-8")
    mine, references = InPlace({1: tmp_path / "mine.py"}), InPlace({})
    with mine:
        first = import_module(f"{PACKAGE_01}.solution")
        with references:
            assert not hasattr(import_module(f"{PACKAGE_01}.solution"), MARK)
        assert import_module(f"{PACKAGE_01}.solution") is first and hasattr(first, MARK)
    with mine:
        assert import_module(f"{PACKAGE_01}.solution") is first, "a block that is entered again has its modules again"
    after = {name: module for name, module in sys.modules.items() if name.startswith(("labs", "mask_engine"))}
    assert after == before and labs.lab_01_naive_matching.solution is reference_01


@pytest.mark.parametrize(
    ("edit", "begun"),
    [
        (lambda text: text, False),
        (lambda text: text.replace("\n", "\r\n"), False),
        (lambda text: text.removeprefix("#"), True),
        (lambda text: text + "\n", True),
        (lambda text: re.sub(r"raise NotImplementedError\(.*", "return None", text, count=1), True),
        (lambda text: re.sub(r" *raise NotImplementedError\(.*\n", "", text, count=1), True),
    ],
)
def test_a_lab_is_begun_once_its_starter_differs(tmp_path, edit, begun):
    """Until then its reference stays in place, so you can start anywhere."""
    for lab in all_labs():
        (tmp_path / "solution.py").write_text(solution(lab.number), encoding="utf-8")
        (tmp_path / "starter.py").write_bytes(edit(starter(lab.number)).encode())
        assert is_begun(tmp_path) == begun, lab.label


# What was called ----------------------------------------------------------------------------------------


def test_a_function_notes_its_first_call_and_nothing_notes_what_did_not_run(chain):
    written = with_function(solution(1), "sample", "return 0")
    module = chain(lab_01=written).load(LAB_01)
    CALLED.clear()
    assert not CALLED and module.sample([1.0], 0.5) == module.sample([1.0], 0.5) == 0
    assert set(CALLED) == {("your", 1, "sample")}
    assert import_module(f"{PACKAGE_02}.solution").apply_mask is module.apply_mask
    assert set(CALLED) == {("your", 1, "sample")}, "imported isn't called"


PROGRAM = "import mask_engine\nprint(mask_engine.compile_regex('0x[0-9]').fullmatch('0x1'))"


def test_a_plain_program_says_at_its_end_whose_functions_ran(tmp_path):
    """In a copy, since a program reads the starters where they are. A child's calls count, and are said once."""
    begin(copy_course(tmp_path), 6)
    status, said = process(tmp_path, "-c", PROGRAM, LAB_CHAIN="mine")
    assert status == 0 and said.splitlines() == ["True", "ran: your 06 (6 functions)"]
    forked = f"if not os.fork():\n    exec({PROGRAM!r})\nelse:\n    os.wait()"
    forked = f"import labs.lab_01_naive_matching.solution, os\n{forked}"
    status, said = process(tmp_path, "-c", forked, LAB_CHAIN="mine")
    assert status == 0 and sorted(said.splitlines()) == ["True", "ran: your 06 (6 functions)"]
    assert process(tmp_path, "-c", PROGRAM)[1] == "True\n"
    unknown = "ValueError: LAB_CHAIN='me' must be 'mine' (your own earlier labs) or 'reference' (the default)"
    assert unknown in process(tmp_path, "-c", PROGRAM, LAB_CHAIN="me")[1]


# The chain: whose fault it is -------------------------------------------------------------------------

USES_01 = f"from {PACKAGE_01}.solution import softmax\n\n\ndef generate():\n    return softmax(None)\n"


CALL, NOT_WRITTEN = "softmax(None)", 'raise NotImplementedError("lab 01, TODO 4 (about 2 lines): x")'


@pytest.mark.parametrize(
    ("lab_01", "call", "expected"),
    [
        (starter(1), CALL, ("wrong", 1, 9, True)),  # it fails on its checks, before what is not written
        (with_function(solution(1), "softmax", NOT_WRITTEN), CALL, ("todo", 1, 4, True)),
        ("def softmax(logits):\n    return {}[1]\n", CALL, ("wrong", 1, 9, True)),
        (MINE_01, "softmax(None).nothing", ("wrong", 2, 9, True)),
        ("def softmax(:\n", CALL, ("wrong", 1, 9, False)),
    ],
)
def test_a_fault_belongs_to_the_lab_in_whose_file_it_is(chain, lab_01, call, expected):
    loader = chain(lab_01=lab_01, lab_02=USES_01.replace(CALL, call))
    with pytest.raises(BaseException) as caught:
        loader.load(LAB_02).generate()
    outcome = judge(LAB_02, 9, caught.value)
    assert (outcome.verdict, outcome.at_fault, outcome.waits_for, outcome.loaded) == expected


# Which files a chain has ------------------------------------------------------------------------------


def test_the_files_of_a_chain(tmp_path):
    """A folder is taken as it is. Otherwise it's the files under test, and those that somebody has begun."""
    (tmp_path / "lab_02.py").touch()
    folder = Implementation("folder", "LAB_IMPL", tmp_path)
    assert folder.in_place([LAB_02]) == {2: tmp_path / "lab_02.py"}
    (tmp_path / "lab_01_by_me").mkdir()
    (tmp_path / "lab_01_by_me" / "starter.py").touch()
    assert folder.in_place([LAB_02]) == {1: tmp_path / "lab_01_by_me" / "starter.py", 2: tmp_path / "lab_02.py"}
    begun = {lab.number: lab.starter for lab in all_labs() if is_edited(lab)}
    assert Implementation("starter", "").in_place([LAB_02]) == begun | {2: LAB_02.starter}
    alone = Implementation("file", "", tmp_path / "lab_02.py")
    assert alone.in_place([LAB_02]) == begun | {2: tmp_path / "lab_02.py"}
    assert Implementation("solution", "").in_place([LAB_02]) == {}


def test_a_folder_is_refused_that_has_no_labs_file_or_two_of_one(tmp_path):
    for name in ("lab_020.py", "lab_2.py", "02.py", "my_lab_02.py", "lab_02.txt"):
        (tmp_path / name).touch()
    with pytest.raises(UsageError, match="without any lab_NN"):
        resolve(str(tmp_path), "LAB_IMPL", tmp_path)
    (tmp_path / "lab_02.py").touch()
    folder = resolve(str(tmp_path), "LAB_IMPL", tmp_path)
    assert not folder.what_is_missing(LAB_02) and folder.what_is_missing(LAB_01).endswith("holds no file for lab 01")
    (tmp_path / "lab_02_again.py").touch()
    with pytest.raises(UsageError, match=r"several files for lab 02: lab_02\.py, lab_02_again\.py"):
        resolve(str(tmp_path), "LAB_IMPL", tmp_path)


# What a run says --------------------------------------------------------------------------------------

WALKS = "--todo=3"
BROKEN_SOFTMAX = with_function(solution(1), "softmax", "return {}['softmax']")


def submissions(folder, first):
    """A folder of two submissions, the second one right."""
    (folder / "lab_01.py").write_text(first, encoding="utf-8")
    (folder / "lab_02.py").write_text(solution(2), encoding="utf-8")
    return str(folder)


def test_green_on_the_reference_and_red_on_the_own_chain(tmp_path):
    folder = submissions(tmp_path, BROKEN_SOFTMAX)
    reference = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=folder)
    mine = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=folder, LAB_CHAIN="mine")
    assert reference.status == 0 and reference.counts[1:] == (0, 0)
    assert mine.status == 1 and mine.counts[0] == 0 and mine.counts[2] == 0
    assert (
        "lab 01's lab_01.py raised KeyError: 'softmax'" in mine.out
        and ", softmax · hints: python3 -m course hint 01." in mine.out
    )
    assert "lab_02.py (" in mine.lines[-1] and mine.lines[-2] == "ran: your 01 (2 functions), your 02 (3)"
    assert mine.lines[-1].endswith("next: your lab 01, on which this one stands")


@pytest.mark.parametrize(
    ("first", "said"),
    [(starter(1), ["lab 02 stands on your lab 01, TODO 3"]), ("def f(:\n", ["SyntaxError", "lab_01.py", "def f(:"])],
)
def test_an_earlier_file_that_is_pristine_or_does_not_load_is_named(tmp_path, first, said):
    run = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=submissions(tmp_path, first), LAB_CHAIN="mine")
    assert run.status == 1 and run.counts[0] == 0 and all(words in run.out for words in said)
    assert (run.counts[1] > 0) == ("SyntaxError" in said) and run.out.count("SyntaxError") == said.count("SyntaxError")
    assert run.lines[-1].endswith("next: your lab 01, on which this one stands") or run.counts[1]


LAB_04, END_TO_END = find_lab(4), "-k=end_to_end"
NO_LAST_CHARACTER = (
    "atoms = parse_atoms(args[0])\n"
    "    rows = [{} for _ in range(len(atoms) + 1)]\n"
    "    for state, atom in enumerate(atoms):\n"
    "        step = dict.fromkeys(sorted(atom.chars)[: len(atom.chars) - 1 or 1], state + 1)\n"
    "        rows[state] |= step\n"
    "        rows[state + atom.plus] |= step\n"
    "    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))"
)
"""The body of a ``compile_pattern`` whose classes lack their last character."""


def test_a_fault_in_lab_02_makes_lab_04_red_on_the_own_chain_alone(tmp_path):
    """Classes lack their last character: nothing raises, f and 9 are missing, and the report says lab 02."""
    (tmp_path / "lab_02.py").write_text(
        with_function(solution(2), "compile_pattern", NO_LAST_CHARACTER), encoding="utf-8"
    )
    (tmp_path / "lab_04.py").write_text(solution(4), encoding="utf-8")
    reference = pytest_run(LAB_04.folder, END_TO_END, LAB_IMPL=str(tmp_path))
    chain = pytest_run(LAB_04.folder, END_TO_END, LAB_IMPL=str(tmp_path), LAB_CHAIN="mine")
    assert reference.status == 0 and reference.counts[1:] == (0, 0)
    assert chain.status == 1 and chain.counts[1] > 0
    assert (
        "Your lab 02, on which this one stands, is not right itself: TODO 6, compile_pattern, fails its own"
        in chain.out
    )
    assert "python3 -m course test 02" in chain.out and "is not right itself" not in reference.out
    assert chain.lines[-1].endswith("next: your lab 02, on which this one stands")
