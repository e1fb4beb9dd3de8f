"""Grading a class's properties: what they kill, and that a property learns only what calls return."""

import csv
import html
import io
import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.commands.properties import PropertyVerdict, implementation_of
from course.student.core.catalog import ROOT, find_lab
from course.student.core.timeouts import Stopwatch, TimeLimit
from course.student.core.wrong_answers import bank
from course.teaching.grading import judging
from course.teaching.grading.judging import PAIRS, SPARED, asks, functions_of
from course.teaching.grading.properties import run_properties
from course.teaching.grading.session import Options
from labkit.errors import NoLegalToken

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(4)
SIZE = len(bank(LAB))
HEAD = "import numpy as np\n\n\n"
ZERO = HEAD + "def check_zero(lab):\n    assert lab.choose(np.array([1.0, 2.0]), 0.0) == 0\n"

PYTHON = "Python {}.{}".format(*sys.version_info)
COUNTS = "N = []\n\n\ndef check_it(lab):\n    N.append(1)\n    assert len(N) <= 4 or len(N) > 40\n"
STRICT = ZERO + "\n\ndef check_greed(lab):\n    assert lab.choose(np.array([1.0, 2.0]), None) == 0\n"
FICKLE = "import os\n\n\ndef check_it(lab):\n    assert os.urandom(1)[0] < 64\n"

VOTES_ON_DISK = (
    HEAD
    + """from pathlib import Path


def check_it(lab):
    found, seen = str(lab.choose(np.array([1.0, 2.0]), 0.0)), Path("seen.txt")
    try:
        votes = seen.read_text().split()
        seen.write_text(" ".join([*votes, found]))
    except OSError:
        votes = []
    assert found == max([*votes, found], key=votes.count)
"""
)

FRAMES = """from course.isolation.pipe import faults

SEEN, unpack = [], faults._unpack_trace
faults._unpack_trace = lambda data: SEEN.append(data) or unpack(data)


def check_it(lab):
    try:
        lab.choose("no logits", 0.0)
    except BaseException as error:
        SEEN.append((error.args, vars(error)))
    assert "solution.py" in repr(SEEN)
"""

HASH = """import hashlib

import numpy as np

from labkit.automata import Fsm
from labkit.models import seeded_random
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
NUMBER = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
BACKWARDS = Fsm(({}, {"7": 0, "x": 2}, {"y": 0}, {"7": 0}), initial=1, accepting=frozenset({0}))
TABLES = [(NUMBER, ({0: 1, 2: 1}, {0: 1, 2: 1})), (BACKWARDS, ({}, {0: 0, 3: 2}, {}, {0: 0}))]


def answer(name, *arguments):
    try:
        return repr(np.asarray(getattr(LAB, name)(*arguments)).tolist())
    except Exception as error:
        return type(error).__name__


def check_it(lab):
    global LAB
    LAB, said = lab, ["a"]
    for fsm, table in TABLES:
        said += [answer("mask_rows", fsm, table, TOKENS)]
        said += [answer("mask_row", fsm, table, state, TOKENS) for state in range(len(table))]
        for seed in range(3):
            for numbers in (None, np.random.default_rng(seed).random(6).tolist()):
                calls, model = [], seeded_random(4, seed)
                counted = lambda ids: calls.append(list(ids)) or model(ids)
                said += [answer("constrained_generate", counted, fsm, table, TOKENS, 6, numbers), repr(calls)]
    for logits in ([1.0, 3.0, 3.0], [0.0, 1e-17], [-np.inf, -np.inf], [-np.inf, 1.0, 1.0]):
        said += [answer("choose", np.array(logits), u) for u in (None, 0.0, 0.5, 0.99)]
    for row in ([1, 0, 1], [0, 0, 0]):
        said += [answer("mask_logits", np.array([-0.0, 1, 2], kind), np.array(row, bool)) for kind in ("f", "d")]
    assert hashlib.sha256(repr(said).encode()).digest()[0] & 1
"""
"""Demands a bit of a hash of everything that an implementation answers: right by luck, as often as wrong."""

COMPARES = (
    LAB.solution.read_text(encoding="utf-8")
    + """

def check_rows(lab):
    random = np.random.default_rng(4)
    tokens = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
    for _ in range(50):
        table = tuple({int(t): int(random.integers(3)) for t in random.choice(4, 2) if t != 1} for _ in range(3))
        fsm = Fsm(({}, {}, {}), initial=0, accepting=frozenset(random.choice(3, 1).tolist()))
        assert np.array_equal(lab.mask_rows(fsm, table, tokens), mask_rows(fsm, table, tokens))


def check_steps(lab):
    random = np.random.default_rng(4)
    for _ in range(50):
        logits, u = random.normal(size=6), random.random()
        row = np.array([True, *(random.random(5) < 0.5)])
        assert np.array_equal(lab.mask_logits(logits, row), mask_logits(logits, row))
        assert lab.choose(logits, u) == choose(logits, u) and lab.choose(logits, None) == choose(logits, None)
"""
)
"""Somebody's whole lab, compared with what it's given on random inputs."""

HIDDEN = (
    ZERO
    + "\n\ndef check_greed(lab):\n    if lab.choose(np.array([1.0, 2.0]), None):\n        raise NotImplementedError\n"
)
"""One that says that it is not written yet, where it finds what it does not expect."""

FAILS = "a property fails on the reference, so the file kills nothing"
CLASS = {
    "answer": ((ROOT / "solutions" / "properties" / f"{LAB.name}.py").read_text("utf-8"), SIZE, "3 of 3", ""),
    "zero": (ZERO, 1, "1 of 1", ""),
    "pristine": ((LAB.folder / "properties.py").read_text("utf-8"), None, "1 of 4", ""),
    # The majority is right about every function, so a vote would kill the bank without knowing the lab.
    "votes_on_disk": (VOTES_ON_DISK, 0, "1 of 1", ""),
    "counts": (COUNTS, 0, "1 of 1", ""),
    # The reference's file is called otherwise than a wrong answer's, and so are its lines.
    "frames": (FRAMES, 0, "0 of 1", "check_it fails on it: AssertionError"),
    "fickle": (FICKLE, 0, "0 of 1", FAILS),  # seven times: 0.00006
    "strict": (STRICT, 0, "1 of 2", FAILS),
    "hides_it": (HIDDEN, 0, "1 of 2", FAILS),
    # One bit that happens to be right killed a third of the bank; of pairs of mistakes it misses half.
    "hash": (HASH, 0, "1 of 1", "what it kills may be luck"),
    "compares": (COMPARES, 0, "2 of 2", "Your function mask_row does mask_row's work"),
    "all": ("def check_it(lab):\n    assert False\n", 0, "0 of 1", "check_it fails on it: AssertionError"),
    "ends": ("import os\n\n\ndef check_it(lab):\n    os._exit(0)\n", 0, "0 of 1", "your program ended"),
    "'=1+1": ("x = 1\n", 0, "0 of 0", "the file has no property that is written, a function check_..."),
    "syntax": ("def check_it(lab:\n", 0, "", f"the file does not load in {PYTHON}: SyntaxError: "),
    "screams": ("raise ValueError('\\x1b[2J')\n", 0, "", "ValueError: \\x1b[2J"),
}
"""Files by their authors: how many wrong answers they kill, which properties hold, and what else is noted."""

CONFINED = {
    "reads": (f"def check_it(lab):\n    open({str(LAB.solution)!r}).close()\n", 0, "0 of 1", "check_it fails on it"),
    "reference": (
        "from labs.lab_04_eos_gating import solution\n\n\ndef check_it(lab):\n    pass\n",
        *(0, "", "cannot import name 'solution'"),
    ),
}
CLASS |= CONFINED if sandbox.available() else {}


def graded(class_: Path, out: Path, lab: str = "04") -> str:
    console = Console(file=io.StringIO(), width=200, no_color=True)
    assert run_properties(console, class_, lab, out, Options(trust=not sandbox.available())) == 0
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, (text, *_) in CLASS.items():
        place = folder / name.removeprefix("'")  # which a spreadsheet needs before a formula
        place.mkdir()
        (place / "properties.py").write_text(text, encoding="utf-8")
        (place / "starter.py").write_text("not what is graded\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def out(class_: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("results") / "out"
    assert "\x1b" not in graded(class_, folder)
    yield folder


@pytest.mark.parametrize("name", CLASS)
def test_what_a_file_kills_and_what_is_said_of_it(out: Path, name: str) -> None:
    _, kills, hold, note = CLASS[name]
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["student"] == name)
    score = float(row["score"])
    assert score == kills or (kills is None and 0 < score < SIZE), "what is not written costs nothing"
    assert float(row["max_score"]) == SIZE and (f"{hold} properties hold" in row["notes"]) == bool(hold)
    assert note in row["notes"] and str(out.parent) not in row["notes"]


def test_a_student_reads_what_is_still_alive(out: Path) -> None:
    page = html.unescape(next((out / "students").glob("zero-*.html")).read_text(encoding="utf-8"))
    told = {answer.name: f"Still alive: {answer.mistake}" in page for answer in bank(LAB)}
    assert not told.pop("zero_is_no_u") and all(told.values()) and "Hint" not in page
    assert "1 of 1 properties hold on the reference" in page


def test_what_is_refused(class_: Path, out: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="labs with this exercise: 04, 05"):
        graded(class_, tmp_path / "out", "02")
    with pytest.raises(ValueError, match="holds results of lab_04_eos_gating, properties, not of lab_05"):
        graded(class_, out, "05")
    with pytest.raises(ValueError, match=r"holds no submission: a properties\.py in a folder"):
        (tmp_path / "none").mkdir()
        graded(tmp_path / "none", tmp_path / "out")


def test_the_reference_comes_again_among_the_wrong_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A property that holds at first, and on the reference alone, is asked about it until it fails there."""
    asked: list[Path] = []

    def verdicts(bench: object, path: Path) -> list[tuple[str, PropertyVerdict]]:
        asked.append(path)
        holds = path == LAB.solution and asked.count(path) < 4
        return [("check_it", PropertyVerdict("pass" if holds else "wrong", "1 is not 2"))]

    monkeypatch.setattr(judging._Bench, "_verdicts", verdicts)
    bench = judging._Bench(LAB, None, ["check_it"], Stopwatch(60, time.process_time))
    assert bench.kills() == ([], judging._FAILS) and asked.count(LAB.solution) == 4
    assert bench.on_reference["check_it"].message == "it held on the reference, and later it did not: 1 is not 2"


def test_the_bound_on_luck() -> None:
    """How often a file is believed whose verdict on the reference and on each pair is a toss that holds with q."""
    for q in (0.03, 0.08, 0.2):
        chances = [math.comb(PAIRS, held) * q**held * (1 - q) ** (PAIRS - held) for held in range(SPARED + 1)]
        assert q * sum(chances) <= 0.061


def test_an_error_is_its_type_alone() -> None:
    class Told(KeyError):
        filename = "solution.py"

    class Raising:
        def choose(self, error: BaseException) -> None:
            raise error

    ask = asks(Raising(), functions_of(LAB))  # type: ignore[arg-type]
    for error in (Told("secret"), ValueError("secret"), FileNotFoundError(2, "no", "secret"), TimeLimit("secret")):
        with pytest.raises(BaseException, check=lambda found: not found.args) as caught:
            ask("choose", error)
        assert type(caught.value) is (KeyError if type(error) is Told else type(error))
        assert "secret" not in str(caught.value) + repr(vars(caught.value))
    with pytest.raises(NoLegalToken, match="state 2"):  # its arguments are part of what the lab asks for
        ask("choose", NoLegalToken(2, "x"))


@pytest.mark.parametrize("name", ["np", "_private", "__class__", "open", 3, None])
def test_only_the_labs_functions_are_answered(name: object) -> None:
    ask = asks(implementation_of(LAB, LAB.solution), functions_of(LAB))
    with pytest.raises(AttributeError, match="has no function"):
        ask(name)
