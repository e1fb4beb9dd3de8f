"""Recognising misconceptions: the fingerprints match the bank, are stable, and say nothing of right answers."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from course.student.core import fingerprints
from course.student.core.candidate import InProcess
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.core.fingerprints import canonical, fingerprint, generate, recognise
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit
from course.student.core.wrong_answers import bank
from labkit.automata import Atom, Fsm

LABS = all_labs()
BY_LABEL = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)


def loaded(lab, path: Path) -> InProcess:
    """Return a file under test, as a run of the lab has it."""
    return InProcess(lab, Loader({lab.number: path}))


def written(folder: Path, text: str) -> Path:
    path = folder / "submission.py"
    path.write_text(text, encoding="utf-8")
    return path


@BY_LABEL
@pytest.mark.parametrize("which", ["solution", "starter"])
def test_the_reference_and_the_starter_are_no_known_mistake(lab, which, tmp_path):
    candidate = loaded(lab, lab.solution if which == "solution" else written(tmp_path, generate_starter(lab)))
    assert {todo: recognise(candidate, lab, todo) for todo in lab_data(lab).todos} == dict.fromkeys(lab_data(lab).todos)


@pytest.mark.parametrize("text", ["def advance(:", "", "raise SystemExit(3)", "import no_such_module"])
def test_a_file_that_does_not_load_is_not_recognised(text, tmp_path):
    assert recognise(loaded(find_lab(2), written(tmp_path, text)), find_lab(2), 1) is None


def test_what_ends_a_test_passes_through(monkeypatch):
    """A time limit in the middle of a probe is not an answer; without fingerprints nothing is asked."""

    class OverTheLimit:
        def advance(self, *args):
            raise TimeLimit("stopped")

    with pytest.raises(TimeLimit):
        recognise(OverTheLimit(), find_lab(2), 1)
    monkeypatch.setattr(fingerprints, "read", lambda lab: {})
    assert recognise(OverTheLimit(), find_lab(2), 1) is None


def test_probing_is_silent(capsys, recwarn):
    class Chatty:
        def softmax(self, logits):
            print("softmax of", logits)
            return np.exp(logits) / np.exp(logits).sum()

    fingerprint(Chatty(), find_lab(1), 4)
    assert capsys.readouterr() == ("", "") and not recwarn.list


RIGHT = """    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state
"""


@pytest.mark.parametrize("body", ["    raise TypeError\n", RIGHT], ids=["one that always raises", "a right one"])
def test_an_answer_that_says_nothing_leaves_no_fingerprint(monkeypatch, body):
    """An answer that always raises would have the fingerprint of any broken file."""
    answer = replace(bank(find_lab(2))[0], todo=1, source="def advance(fsm, state, text):\n" + body)
    monkeypatch.setattr(fingerprints, "bank", lambda lab: (answer,))
    assert generate(find_lab(2)) == {}


# attempt and canonical ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("1", 1),
        ("a", b"a"),
        ((1, 2), [1, 2]),
        ({1}, frozenset({1})),
        ([1, 2], [2, 1]),
        ([1, [2]], [[1], 2]),
        (["a,b"], ["a", "b"]),
        (np.float64(1), 1.0),
        (np.zeros(2, np.float32), np.zeros(2)),
        (np.zeros((1, 2)), np.zeros((2, 1))),
        (np.zeros(1), [0.0]),
        (np.array([0.0]), np.array([-0.0])),
        (Atom(frozenset("a"), False, "a", 0), Atom(frozenset("a"), False, "a", 1)),
        (Fsm(({},), 0, frozenset()), Fsm(({},), 0, frozenset({0}))),
        (None, "None"),
    ],
)
def test_canonical_tells_apart(one, other):
    assert canonical(one) != canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (float("nan"), -float("nan")),
        (np.array([1, 2], "<i4"), np.array([1, 2], ">i4")),
        (np.arange(6).reshape(2, 3).T, np.ascontiguousarray(np.arange(6).reshape(2, 3).T)),
        (object(), object()),
        ([lambda: 1], [lambda: 2]),
    ],
)
def test_canonical_is_the_same_for(one, other):
    assert canonical(one) == canonical(other)


def test_canonical_does_not_depend_on_the_process():
    """Sets and dicts of strings come in another order in every process that hashes with another seed."""
    program = (
        "from course.student.core.fingerprints import canonical\n"
        "from labkit.automata import Atom\n"
        "letters = 'abcdefghij'\n"
        "print(canonical([set(letters), {c: {c} for c in set(letters)}, Atom(frozenset(letters), True, 'x', 1), 0.1]))"
    )
    seeded = ({"cwd": ROOT, "env": os.environ | {"PYTHONHASHSEED": seed}} for seed in ("1", "2", "3"))
    texts = {subprocess.check_output([sys.executable, "-c", program], **options) for options in seeded}
    assert len(texts) == 1 and b"set[" in texts.pop()
