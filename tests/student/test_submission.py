"""Loading the file under test, and LAB_CHAIN=mine: a student's own earlier labs in place of the references."""

import sys
import traceback
import types

import pytest

from course.student.core.catalog import all_labs, find_lab
from course.student.core.implementation import Implementation, UsageError, resolve
from course.student.core.submission import Loader
from course.student.core.trace import student_trace
from course.student.run.outcomes import judge
from labs.lab_01_naive_matching import solution as reference_01
from tests.runs import LAB_01, LAB_02, pytest_run, solution, starter, with_function

MINE_01 = 'def softmax(logits):\n    return "my softmax"\n\n\ndef sample(probs, u):\n    return "my sample"\n'
PACKAGE_01, PACKAGE_02 = (f"labs.{lab.name}" for lab in (LAB_01, LAB_02))


def chain(folder, *, chained=True, **sources):
    """A loader of files with these texts, named by their lab: ``lab_01=…``."""
    files = {}
    for name, source in sources.items():
        files[int(name[-2:])] = folder / f"{name}.py"
        files[int(name[-2:])].write_text(source, encoding="utf-8")
    return Loader(files, chain=chained)


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


def test_a_file_is_run_once_and_one_that_fails_fails_alike_each_time(tmp_path, counting):
    loader = chain(tmp_path, lab_02=counting)
    assert loader.load(LAB_02) is loader.load(LAB_02) and sys.counted == 1
    loader = chain(tmp_path, lab_02=counting + "1 / 0\n")
    first, frames, depths = failure(loader), [], []
    for _ in range(5):
        error = failure(loader)
        frames.append(len(student_trace(error).frames))
        depths.append(len(list(traceback.walk_tb(error.__traceback__))))
        assert error is first and isinstance(error, ZeroDivisionError) and sys.counted == 2
    assert frames == [1] * 5 and len({*depths}) == 1, "a traceback must not grow with every test"


@pytest.mark.parametrize(
    "content", [b"# coding: utf-7\nX = 1\n#+AAo-X = 2\n", b"X = 0\r# coding: utf-7\rX = 1\r#+AAo-X = 2\r"]
)
def test_what_is_read_is_what_runs(tmp_path, content):
    """In UTF-7, +AAo- ends a line: a reader of UTF-8 sees a comment."""
    (tmp_path / "02.py").write_bytes(content)
    assert Loader({2: tmp_path / "02.py"}).load(LAB_02).X == 1


def test_a_mark_at_the_start_is_read_and_other_encodings_are_refused(tmp_path):
    (tmp_path / "02.py").write_bytes("X = 'é'\n".encode("utf-8-sig"))
    assert Loader({2: tmp_path / "02.py"}).load(LAB_02).X == "é"
    (tmp_path / "02.py").write_bytes("# coding: latin-1\nX = 'é'\n".encode("latin-1"))
    error = failure(Loader({2: tmp_path / "02.py"}))
    assert isinstance(error, SyntaxError) and "not UTF-8" in str(error)
    assert [frame.lab_number for frame in student_trace(error).frames] == [2]


def test_dataclasses_and_relative_imports_work_in_a_submission(tmp_path):
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from ..lab_01_naive_matching.solution import softmax\n\n\n@dataclass\nclass Pair:\n    left: int\n"
    )
    module = chain(tmp_path, chained=False, lab_02=source).load(LAB_02)
    assert module.Pair(left=3).left == 3 and module.softmax is reference_01.softmax


def test_an_edit_within_the_same_second_counts(tmp_path):
    assert [chain(tmp_path, lab_02=f"value = {n}\n").load(LAB_02).value for n in (1, 2)] == [1, 2]
    assert not list(tmp_path.rglob("*.pyc"))


# The chain: every form of import ----------------------------------------------------------------------

FORMS = {
    "from the module": (f"from {PACKAGE_01}.solution import softmax", "softmax"),
    "under another name": (f"from {PACKAGE_01}.solution import softmax as s, sample", "s"),
    "the module from its package": (f"from {PACKAGE_01} import solution", "solution.softmax"),
    "the package from its package": (f"from labs import {LAB_01.name} as first", "first.solution.softmax"),
    "the module as": (f"import {PACKAGE_01}.solution as first", "first.softmax"),
    "the package as": (f"import {PACKAGE_01} as first", "first.solution.softmax"),
    "plain": (f"import {PACKAGE_01}.solution", f"{PACKAGE_01}.solution.softmax"),
    "plain, and another lab": (
        f"import {PACKAGE_01}.solution\nimport labs.lab_02_atom_fsm.probes",
        f"{PACKAGE_01}.solution.softmax",
    ),
    "star": (f"from {PACKAGE_01}.solution import *", "softmax"),
    "relative": (f"from ..{LAB_01.name}.solution import softmax", "softmax"),
    "relative, the module": (f"from ..{LAB_01.name} import solution as first", "first.softmax"),
    "relative, the package": (f"from .. import {LAB_01.name} as first", "first.solution.softmax"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("inside", [False, True], ids=["at the top", "in a function"])
def test_a_students_import_gets_the_students_file(tmp_path, form, inside):
    statement, expression = FORMS[form]
    if inside and "*" in statement:
        inside = False  # Python has no star import in a function
    indented = statement.replace("\n", "\n    ")
    source = f"def probe():\n    {indented if inside else 'pass'}\n    return {expression}(None)\n"
    loader = chain(tmp_path, lab_01=MINE_01, lab_02=source if inside else f"{statement}\n\n\n{source}")
    assert loader.load(LAB_02).probe() == "my softmax"


@pytest.mark.parametrize("form", FORMS)
def test_without_the_chain_or_an_earlier_file_the_same_import_gets_the_reference(tmp_path, form):
    statement, expression = FORMS[form]
    source = f"{statement}\nfound = {expression}\n"
    unchained = chain(tmp_path, chained=False, lab_01=MINE_01, lab_02=source)
    for loader in (unchained, chain(tmp_path, lab_02=source)):
        assert loader.load(LAB_02).found is reference_01.softmax


def test_everybody_else_gets_the_reference(tmp_path):
    source = (
        f"from {PACKAGE_01}.solution import softmax\nfrom labs.lab_03_token_lifting import solution as other\n"
        "import numpy, os.path\nfrom labkit.models import uniform\nimport labs\n"
    )
    before = sys.modules[f"{PACKAGE_01}.solution"]
    module = chain(tmp_path, lab_01=MINE_01, lab_02=source).load(LAB_02)
    assert module.softmax(None) == "my softmax"
    assert module.other.softmax is reference_01.softmax
    assert sys.modules[f"{PACKAGE_01}.solution"] is before is reference_01
    from labs.lab_01_naive_matching.solution import softmax as seen_here

    assert seen_here is reference_01.softmax and isinstance(module.numpy, types.ModuleType)


def test_names_that_do_not_exist_are_missed_as_usual(tmp_path):
    for statement in (f"from {PACKAGE_01}.solution import nothing", f"from {PACKAGE_01} import nothing"):
        error = failure(chain(tmp_path, lab_01=MINE_01, lab_02=f"{statement}\n"))
        assert type(error) is ImportError and "cannot import name 'nothing'" in str(error)
    for statement in (f"import {PACKAGE_01}.nothing", "from ....far import away", "import labs.lab_99_none.solution"):
        assert isinstance(failure(chain(tmp_path, lab_01=MINE_01, lab_02=f"{statement}\n")), ImportError)


def test_a_circular_import_is_named_and_does_not_hang(tmp_path):
    circle = chain(tmp_path, lab_01=f"import {PACKAGE_02}.solution\n", lab_02=f"import {PACKAGE_01}.solution\n")
    error = failure(circle)
    assert isinstance(error, ImportError)
    assert str(error) == "lab 01 imports lab 02, which is itself still being imported"
    itself = failure(chain(tmp_path, lab_02=f"from {PACKAGE_02}.solution import advance\n"))
    assert str(itself) == "lab 02 imports lab 02, which is itself still being imported"


# The chain: whose fault it is -------------------------------------------------------------------------

USES_01 = f"from {PACKAGE_01}.solution import softmax\n\n\ndef generate():\n    return softmax(None)\n"


CALL, NOT_WRITTEN = "softmax(None)", 'raise NotImplementedError("lab 01, TODO 5 (about 2 lines): x")'


@pytest.mark.parametrize(
    ("lab_01", "call", "expected"),
    [
        (starter(1), CALL, ("wrong", 1, 9, True)),  # it fails on its checks, before what is not written
        (with_function(solution(1), "softmax", NOT_WRITTEN), CALL, ("todo", 1, 5, True)),
        ("def softmax(logits):\n    return {}[1]\n", CALL, ("wrong", 1, 9, True)),
        (MINE_01, "softmax(None).nothing", ("wrong", 2, 9, True)),
        ("def softmax(:\n", CALL, ("wrong", 1, 9, False)),
        (f"import {PACKAGE_02}.solution\n", CALL, ("wrong", 1, 9, False)),
    ],
)
def test_a_fault_belongs_to_the_lab_in_whose_file_it_is(tmp_path, lab_01, call, expected):
    loader = chain(tmp_path, lab_01=lab_01, lab_02=USES_01.replace(CALL, call))
    with pytest.raises(BaseException) as caught:
        loader.load(LAB_02).generate()
    outcome = judge(LAB_02, 9, caught.value)
    assert (outcome.verdict, outcome.at_fault, outcome.waits_for, outcome.loaded) == expected


# Which files a chain has ------------------------------------------------------------------------------


def test_the_files_of_a_chain(tmp_path):
    (tmp_path / "lab_02.py").touch()
    folder = Implementation("folder", "LAB_IMPL", tmp_path)
    assert folder.chain_files(LAB_02) == {2: tmp_path / "lab_02.py"}
    (tmp_path / "lab_01_by_me").mkdir()
    (tmp_path / "lab_01_by_me" / "starter.py").touch()
    assert folder.chain_files(LAB_02) == {1: tmp_path / "lab_01_by_me" / "starter.py", 2: tmp_path / "lab_02.py"}
    assert folder.chain_files(LAB_01) == {1: tmp_path / "lab_01_by_me" / "starter.py"}
    assert Implementation("starter", "").chain_files(LAB_02) == {1: LAB_01.starter, 2: LAB_02.starter}
    alone = Implementation("file", "", tmp_path / "lab_02.py")
    assert alone.chain_files(LAB_02) == {1: LAB_01.starter, 2: tmp_path / "lab_02.py"}


def test_a_folder_is_refused_where_any_lab_is_there_twice(tmp_path):
    for name in ("lab_01.py", "lab_02.py", "lab_02_again.py"):
        (tmp_path / name).touch()
    with pytest.raises(UsageError, match=r"several files for lab 02: lab_02\.py, lab_02_again\.py"):
        resolve(str(tmp_path), "LAB_IMPL", tmp_path)


def test_a_folder_without_a_labs_file_is_refused(tmp_path):
    for name in ("lab_020.py", "lab_2.py", "02.py", "my_lab_02.py", "lab_02.txt"):
        (tmp_path / name).touch()
    with pytest.raises(UsageError, match="without any lab_NN"):
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
    assert "lab 01's lab_01.py raised KeyError: 'softmax'" in mine.out
    assert "lab_02.py (" in mine.lines[-1] and "on your own earlier labs" in mine.lines[-1]
    assert mine.lines[-1].endswith("next: your lab 01, on which this one stands")


@pytest.mark.parametrize(
    ("first", "said"),
    [(starter(1), ["lab 02 stands on your lab 01, TODO 4"]), ("def f(:\n", ["SyntaxError", "lab_01.py", "def f(:"])],
)
def test_an_earlier_file_that_is_pristine_or_does_not_load_is_named(tmp_path, first, said):
    run = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=submissions(tmp_path, first), LAB_CHAIN="mine")
    assert run.status == 1 and run.counts[0] == 0 and all(words in run.out for words in said)
    assert (run.counts[1] > 0) == ("SyntaxError" in said) and run.out.count("SyntaxError") == said.count("SyntaxError")
    assert run.lines[-1].endswith("next: your lab 01, on which this one stands") or run.counts[1]


# The whole course -------------------------------------------------------------------------------------

LAB_04 = find_lab(4)
NO_RANGE_END = (
    "first, after = read_char(args[0], args[1])\n"
    "    if args[0][after : after + 1] != '-' or args[0][after + 1 : after + 2] in (']', ''):\n"
    "        return {first}, after\n"
    "    last, after = read_char(args[0], after + 1)\n"
    "    if last < first:\n"
    "        raise InvalidPattern('backwards', args[0], args[1])\n"
    "    return {chr(code) for code in range(ord(first), ord(last))} or {first}, after"
)
"""The body of a ``parse_item`` whose ranges lack their last character."""


@pytest.fixture
def mine(tmp_path):
    """A folder with one file for each lab: the references, as a student's own."""
    for lab in all_labs():
        (tmp_path / f"{lab.name}.py").write_text(solution(lab.number), encoding="utf-8")
    return tmp_path


def test_a_fault_in_lab_02_makes_lab_04_red_on_the_own_chain_alone(mine):
    """Ranges lack their end: nothing raises, f and 9 are missing, and the report says lab 02."""
    wrong = with_function(solution(2), "parse_item", NO_RANGE_END)
    (mine / f"{LAB_02.name}.py").write_text(wrong, encoding="utf-8")
    reference = pytest_run(LAB_04.folder, LAB_IMPL=str(mine))
    chain = pytest_run(LAB_04.folder, LAB_IMPL=str(mine), LAB_CHAIN="mine")
    assert reference.status == 0 and reference.counts[1:] == (0, 0)
    assert chain.status == 1 and chain.counts[1] > 0
    assert "Your lab 02, on which this one stands, is not right itself: TODO 5, parse_item, fails its own" in chain.out
    assert "python3 -m course test 02" in chain.out and "is not right itself" not in reference.out
    assert chain.lines[-1].endswith("next: your lab 02, on which this one stands")
