"""Loading the file under test, and LAB_CHAIN=mine: a student's own earlier labs in place of the references."""

import shutil
import sys
import types

import pytest

from course.student.core.catalog import ROOT, find_lab
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


def test_a_file_is_run_once(tmp_path):
    loader = chain(tmp_path, lab_02="import sys\nsys.counted = getattr(sys, 'counted', 0) + 1\n")
    try:
        assert loader.load(LAB_02) is loader.load(LAB_02)
        assert sys.counted == 1
    finally:
        vars(sys).pop("counted", None)


def test_a_file_that_fails_is_run_once_and_fails_alike_each_time(tmp_path):
    loader = chain(tmp_path, lab_02="import sys\nsys.counted = getattr(sys, 'counted', 0) + 1\n1 / 0\n")
    try:
        first = failure(loader)
        steps = [len(student_trace(failure(loader)).frames) for _ in range(5)]
        depth = depth_of(failure(loader))
        assert failure(loader) is first and isinstance(first, ZeroDivisionError) and sys.counted == 1
        assert steps == [1] * 5 and depth_of(failure(loader)) == depth, "a traceback must not grow with every test"
    finally:
        vars(sys).pop("counted", None)


def depth_of(error):
    """How many frames a traceback has."""
    depth, step = 0, error.__traceback__
    while step is not None:
        depth, step = depth + 1, step.tb_next
    return depth


def test_dataclasses_and_relative_imports_work_in_a_submission(tmp_path):
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from ..lab_01_naive_matching.solution import softmax\n\n\n@dataclass\nclass Pair:\n    left: int\n"
    )
    module = chain(tmp_path, chained=False, lab_02=source).load(LAB_02)
    assert module.Pair(left=3).left == 3 and module.softmax is reference_01.softmax


def test_an_edit_within_the_same_second_counts(tmp_path):
    assert chain(tmp_path, lab_02="value = 1\n").load(LAB_02).value == 1
    assert chain(tmp_path, lab_02="value = 2\n").load(LAB_02).value == 2
    assert not list(tmp_path.rglob("*.pyc"))


def test_other_encodings_are_read_as_python_reads_them(tmp_path):
    for name, content in {
        "bom": b"\xef\xbb\xbfvalue = '\xc3\xa9'\n",
        "latin": b"# coding: latin-1\nvalue = '\xe9'\n",
    }.items():
        (tmp_path / name).write_bytes(content)
        assert Loader({2: tmp_path / name}).load(LAB_02).value == "é"


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
def test_without_the_chain_the_same_import_gets_the_reference(tmp_path, form):
    statement, expression = FORMS[form]
    loader = chain(tmp_path, chained=False, lab_01=MINE_01, lab_02=f"{statement}\nfound = {expression}\n")
    assert loader.load(LAB_02).found is reference_01.softmax


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_earlier_file_is_the_reference(tmp_path, form):
    statement, expression = FORMS[form]
    assert chain(tmp_path, lab_02=f"{statement}\nfound = {expression}\n").load(LAB_02).found is reference_01.softmax


def test_everybody_else_gets_the_reference(tmp_path):
    source = (
        f"from {PACKAGE_01}.solution import softmax\n"
        "import course.showcase.demo.costs as house\nimport numpy, os.path\n"
        f"from labkit.models import uniform\nimport labs\n"
    )
    before = sys.modules[f"{PACKAGE_01}.solution"]
    module = chain(tmp_path, lab_01=MINE_01, lab_02=source).load(LAB_02)
    assert module.softmax(None) == "my softmax"
    assert module.house.naive is reference_01 and module.house.walking.softmax is reference_01.softmax
    assert sys.modules[f"{PACKAGE_01}.solution"] is before is reference_01
    from labs.lab_01_naive_matching.solution import softmax as seen_here

    assert seen_here is reference_01.softmax and isinstance(module.numpy, types.ModuleType)


def test_names_that_do_not_exist_are_missed_as_usual(tmp_path):
    for statement in (f"from {PACKAGE_01}.solution import nothing", f"from {PACKAGE_01} import nothing"):
        error = failure(chain(tmp_path, lab_01=MINE_01, lab_02=f"{statement}\n"))
        assert type(error) is ImportError and "cannot import name 'nothing'" in str(error)
    for statement in (f"import {PACKAGE_01}.nothing", "from ....far import away", "import labs.lab_99_none.solution"):
        assert isinstance(failure(chain(tmp_path, lab_01=MINE_01, lab_02=f"{statement}\n")), ImportError)


def test_a_circular_import_is_told_and_does_not_hang(tmp_path):
    circle = chain(tmp_path, lab_01=f"import {PACKAGE_02}.solution\n", lab_02=f"import {PACKAGE_01}.solution\n")
    error = failure(circle)
    assert isinstance(error, ImportError)
    assert str(error) == "lab 01 imports lab 02, which is itself still being imported"
    outcome = judge(LAB_02, 9, error)
    assert (outcome.verdict, outcome.at_fault, outcome.loaded) == ("wrong", 1, False)


def test_a_file_that_imports_itself(tmp_path):
    error = failure(chain(tmp_path, lab_02=f"from {PACKAGE_02}.solution import advance\n"))
    assert str(error) == "lab 02 imports lab 02, which is itself still being imported"


# The chain: whose fault it is -------------------------------------------------------------------------

USES_01 = f"from {PACKAGE_01}.solution import softmax\n\n\ndef generate():\n    return softmax(None)\n"


def outcome_of_generate(loader):
    """The judgement on a test of lab 02 that calls ``generate``."""
    with pytest.raises(BaseException) as caught:
        loader.load(LAB_02).generate()
    return judge(LAB_02, 9, caught.value)


def test_a_todo_in_an_earlier_file_is_that_labs(tmp_path):
    outcome = outcome_of_generate(chain(tmp_path, lab_01=starter(1), lab_02=USES_01))
    assert (outcome.verdict, outcome.at_fault) == ("wrong", 1), "softmax(None) fails before it raises, on its checks"
    lab_01 = with_function(solution(1), "softmax", 'raise NotImplementedError("lab 01, TODO 5 (about 2 lines): x")')
    outcome = outcome_of_generate(chain(tmp_path, lab_01=lab_01, lab_02=USES_01))
    assert (outcome.verdict, outcome.at_fault, outcome.waits_for, outcome.loaded) == ("todo", 1, 5, True)


def test_a_fault_in_an_earlier_file_is_that_labs(tmp_path):
    outcome = outcome_of_generate(chain(tmp_path, lab_01="def softmax(logits):\n    return {}[1]\n", lab_02=USES_01))
    assert (outcome.verdict, outcome.at_fault, outcome.loaded) == ("wrong", 1, True)


def test_a_syntax_error_in_an_earlier_file_is_that_labs(tmp_path):
    error = failure(chain(tmp_path, lab_01="def softmax(:\n", lab_02=USES_01))
    outcome = judge(LAB_02, 9, error)
    assert isinstance(error, SyntaxError) and error.filename.endswith("lab_01.py")
    assert (outcome.verdict, outcome.at_fault, outcome.loaded) == ("wrong", 1, False)


def test_a_fault_in_the_own_file_stays_ones_own(tmp_path):
    source = USES_01.replace("softmax(None)", "softmax(None).nothing")
    outcome = outcome_of_generate(chain(tmp_path, lab_01=MINE_01, lab_02=source))
    assert (outcome.verdict, outcome.at_fault) == ("wrong", 2)


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


@pytest.mark.parametrize("name", ["lab_020.py", "lab_2.py", "02.py", "my_lab_02.py", "lab_02.txt"])
def test_a_folder_without_a_labs_file_is_refused(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(UsageError, match="without any lab_NN"):
        resolve(str(tmp_path), "LAB_IMPL", tmp_path)


# What a run says --------------------------------------------------------------------------------------

WALKS = "--todo=9"
BROKEN_SOFTMAX = with_function(solution(1), "softmax", "return {}['softmax']")


def submissions(folder, first, second=None):
    """A folder of two submissions."""
    (folder / "lab_01.py").write_text(first, encoding="utf-8")
    (folder / "lab_02.py").write_text(second or solution(2), encoding="utf-8")
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


def test_an_earlier_lab_that_is_wrong_and_raises_nothing_is_named(tmp_path):
    """apply_mask masks nothing: lab 02 is red through no fault of its own, and the report says where to begin."""
    masks_nothing = with_function(solution(1), "apply_mask", "return args[0].copy()")
    folder = submissions(tmp_path, masks_nothing)
    mine = pytest_run(LAB_02.folder, "-k=adversary", LAB_IMPL=folder, LAB_CHAIN="mine")
    reference = pytest_run(LAB_02.folder, "-k=adversary", LAB_IMPL=folder)
    assert reference.status == 0 and mine.status == 1
    assert "Your lab 01, on which this one stands, is not right itself: TODO 4, apply_mask, fails its own" in mine.out
    assert "python -m course test 01" in mine.out
    assert mine.lines[-1].endswith("next: your lab 01, on which this one stands")
    assert "is not right itself" not in reference.out


def test_a_pristine_earlier_starter_is_reported_as_todo_of_that_lab(tmp_path):
    run = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=submissions(tmp_path, starter(1)), LAB_CHAIN="mine")
    assert run.status == 1 and run.counts[:2] == (0, 0) and run.counts[2] > 0
    assert "lab 02 stands on your lab 01, TODO 4" in run.out
    assert run.lines[-1].endswith("next: your lab 01, on which this one stands")


def test_a_syntax_error_in_the_earlier_file_is_shown_with_its_name(tmp_path):
    run = pytest_run(LAB_02.folder, WALKS, LAB_IMPL=submissions(tmp_path, "def softmax(:\n"), LAB_CHAIN="mine")
    assert (
        run.status == 1 and run.out.count("SyntaxError") == 1 and "lab_01.py" in run.out and "def softmax(:" in run.out
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the house, its starters solved."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("labs", "labkit", "course"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.ipynb"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    for lab in (LAB_01, LAB_02):
        (copy / lab.path / "starter.py").write_text(solution(lab.number), encoding="utf-8")
    return copy


def test_the_starters_are_a_chain_too(house):
    first = house / LAB_01.path / "starter.py"
    green = pytest_run(LAB_02.path, WALKS, cwd=house, LAB_IMPL="starter", LAB_CHAIN="mine")
    first.write_text(BROKEN_SOFTMAX, encoding="utf-8")
    red = pytest_run(LAB_02.path, WALKS, cwd=house, LAB_IMPL="starter", LAB_CHAIN="mine")
    alone = pytest_run(LAB_02.path, WALKS, cwd=house, LAB_IMPL="starter")
    first.write_text(solution(1), encoding="utf-8")
    assert green.status == 0 and alone.status == 0
    assert red.status == 1 and "lab 01's starter.py raised KeyError" in red.out


def test_find_lab_is_what_a_mark_refers_to(tmp_path):
    """Frames are recognised by the number of the lab, which the loaded module carries."""
    module = chain(tmp_path, lab_02="value = 1\n").load(LAB_02)
    assert module.__lab_number__ == find_lab(2).number and module.__name__ == f"{PACKAGE_02}.submitted"
