"""Grading the properties that a student writes: what kills, what earns nothing, and what is printed."""

import textwrap

import pytest
from rich.console import Console

from course.student.commands import properties
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.core.wrong_answers import bank

LAB = find_lab(4)

RIGHT = "def check_rows(lab):\n    lab.mask_rows\n"
TOO_STRICT = 'def check_choose(lab):\n    assert lab.choose([1, 2], None) == 0, "the first [one]"\n'
NOT_WRITTEN = 'def check_generation(lab):\n    raise NotImplementedError("lab 04, properties: the ids")\n'
ZERO = "def check_zero(lab):\n    assert lab.choose(np.array([1.0, 2.0]), 0.0) == 0\n"


def answer_of(lab):
    return ROOT / "solutions" / "properties" / f"{lab.name}.py"


@pytest.fixture
def grade(tmp_path):
    """Grade a file with this text."""

    def run(text):
        path = tmp_path / "mine.py"
        path.write_text("import numpy as np\n\n\n" + text)
        return report(path)

    return run


def report(path, lab=LAB):
    """Grade this file: the exit status, and what was printed."""
    console = Console(width=200, color_system=None, soft_wrap=True)
    with console.capture() as said:
        status = properties.report(lab, console, path)
    return status, said.get()


EXERCISES = pytest.mark.parametrize(
    "lab", [lab for lab in all_labs() if (lab.folder / "properties.py").is_file()], ids=lambda lab: lab.label
)


@EXERCISES
def test_the_answer_kills_the_whole_bank(lab):
    status, said = report(answer_of(lab), lab)
    assert status == 0 and f"kills {len(bank(lab))} of {len(bank(lab))}" in said and len(bank(lab)) >= 10
    assert "still alive" not in said and said.count("passes on the reference") >= 3


@EXERCISES
def test_the_answer_kills_by_assertions(lab, tmp_path):
    """And not by an accidental error on what a wrong implementation returns, where that raises nothing itself."""
    checks = properties.load(answer_of(lab), lab).values()
    for answer in bank(lab):
        path = tmp_path / f"{answer.name}.py"
        path.write_text(answer.submission(), encoding="utf-8")
        verdicts = [properties.judge(check, properties.implementation_of(lab, path)) for check in checks]
        messages = [verdict.message for verdict in verdicts if verdict.kind != "pass"]
        asserted = (text.startswith("AssertionError") or f"{answer.name}.py:" in text for text in messages)
        assert any(asserted), messages


@EXERCISES
def test_what_students_get_is_an_example_and_open_questions(lab):
    """The example passes on the reference and leaves most of the bank alive; the answer has each check by its name."""
    given = properties.load(properties.file_of(lab), lab)
    kinds = {name: verdict.kind for name, verdict in properties.on_reference(given, lab).items()}
    assert list(kinds.values()) == ["pass", *["todo"] * (len(kinds) - 1)] and len(kinds) > 3
    assert list(properties.load(answer_of(lab), lab)) == list(kinds)[1:]
    readme = (lab.folder / "README.md").read_text(encoding="utf-8")
    assert f"python3 -m course properties {lab.number:02}" in readme and "| `properties.py` |" in readme
    note = (ROOT / "solutions" / f"{lab.name}.md").read_text(encoding="utf-8")
    assert "## The property exercise" in note and f"properties/{lab.name}.py" in note


def test_kills_are_counted_and_survivors_are_described(grade):
    """Each property kills what it is about, and nothing else."""
    status, said = grade(RIGHT + "\n\n" + ZERO)
    assert status == 1 and f"kills 1 of {len(bank(LAB))}" in said
    shown = {answer.name: answer.mistake in said for answer in bank(LAB)}
    assert not shown.pop("zero_is_no_u") and all(shown.values())


ROW = """def row_of(fsm, table, state, tokens):
    row = np.zeros(len(tokens), bool)
    row[[*table[state]]] = True
    row[tokens.eos_id] = state in fsm.accepting
    return row
"""
"""Lab 04's ``mask_row`` in a student's own words."""

IMPLEMENTATIONS = {
    "_row_of": ROW.replace("row_of", "_row_of"),
    "inside_a_check": "def check_it(lab):\n" + textwrap.indent(ROW.replace("row_of", "inside_a_check"), "    "),
    "method": "class Mine:\n" + textwrap.indent(ROW.replace("row_of(", "method(self, "), "    "),
    "pick": "from labs.lab_04_eos_gating.solution import choose as pick\n",
}


LOADS = "mine.py does not load: "
FAILS = "check_it  fails on the reference", "kills 0 of 1"
WORK = "check_zero  passes on the reference", "s work, so nothing that this file kills counts yet"
LOOP = "def check_zero(lab):\n    while lab.choose(np.array([0.0, 1.0]), 0.0):\n        pass\n"
ENDS = ("exit(0)", "raise SystemExit", "return 1 / 0", "lab.no_such_function()")
IMPORTS = "from labkit.checking import check_equal\n\n\ndef helper(lab):\n    pass\n"
CASES = [
    (ZERO, 0, ["kills 1 of 1"]),
    (NOT_WRITTEN + "\n\n" + ZERO, 1, ["check_generation  not written yet", "kills 1 of 1"]),
    (
        TOO_STRICT + "\n\n" + ZERO,
        1,
        [
            "check_choose  fails on the reference: until you mend it, nothing that your file kills counts",
            "AssertionError: the first [one]",
            "mine.py:5 in check_choose: assert lab.choose",
            "kills 1 of 1",
        ],
    ),
    *((f"def check_it(lab):\n    {end}\n", 1, FAILS) for end in ENDS),
    *((text, 1, [LOADS]) for text in ("def check_it(lab:", "import no_such_module", "exit(0)")),
    # A loop on the reference is a failure, and on a wrong answer a kill.
    ("def check_it(lab):\n    while True:\n        pass\n", 1, ["still running at mine.py:", *FAILS]),
    (LOOP, 0, ["kills 1 of 1"]),
    ("while True:\n    pass\n", 1, [f"{LOADS}TimeLimit: stopped after 0.3 s"]),
    (IMPORTS, 1, ["no function whose name begins with", "kills 0 of 1"]),
    # It's found whatever it's called and wherever it stands.
    *((f"{text}\n\n{ZERO}", 1, [f"Your function {name} does ", *WORK]) for name, text in IMPLEMENTATIONS.items()),
]


@pytest.mark.parametrize(("text", "status", "said"), CASES)
def test_what_is_said_of_a_file(grade, monkeypatch, text, status, said):
    monkeypatch.setattr(properties, "TIMEOUT", 0.3)
    monkeypatch.setattr(properties, "bank", lambda lab: [a for a in bank(lab) if a.name == "zero_is_no_u"])
    found = grade(text)
    assert found[0] == status and [part for part in said if part not in found[1]] == []
    assert ("kills" in found[1].replace(WORK[1], "")) == any("kills" in part for part in said if part != WORK[1])


@EXERCISES
def test_helpers_are_not_taken_for_implementations(lab):
    """Neither the answer's nor the example's helpers do a TODO's work."""
    assert [properties.comparison(path, lab) for path in (answer_of(lab), properties.file_of(lab))] == ["", ""]


def test_each_property_gets_an_implementation_of_its_own_and_what_it_prints_is_seen_once(grade, capsys):
    greedy = "def check_a(lab):\n    lab.choose = print('looking')\n\n\n"
    status, said = grade(greedy + "def check_b(lab):\n    lab.choose(np.ones(2), None)\n")
    assert status == 1 and said.count("passes on the reference") == 2 and capsys.readouterr().out == "looking\n"


def test_without_the_bank_the_reference_alone_counts(grade, monkeypatch):
    monkeypatch.setattr(properties, "bank", lambda lab: ())
    status, said = grade(ZERO)
    assert status == 1 and "check_zero  passes on the reference" in said
    assert "not in this copy of the course" in said and "kills" not in said


def test_the_command(course):
    code, out, _ = course("properties", "04", "--file", str(answer_of(LAB)))
    assert code == 0 and "solutions/properties/lab_04_eos_gating.py" in out
    code, _, err = course("properties", "02")
    assert code == 2 and err == "error: labs/lab_02_atom_fsm has no properties.py; labs with this exercise: 04, 05\n"
    assert course("properties", "04", "--file", "no_such.py") == (2, "", "error: there is no file no_such.py\n")
