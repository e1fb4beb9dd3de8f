"""Points, records and reports, from made-up records: nothing is run here."""

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from course.student.core.catalog import find_lab
from course.student.core.hints import lab_data
from course.teaching.grading.job import GradingRules, Job, Record, Store
from course.teaching.grading.plan import Plan, bodies, make_plan
from course.teaching.grading.reports import Classroom, summary, write_reports
from course.teaching.grading.scoring import Grade, money, score, ungraded
from course.teaching.grading.session import shard
from course.teaching.grading.trivial import fill_in
from labkit.automata import Fsm
from labkit.errors import InvalidPattern

LAB = find_lab(2)
TODOS = lab_data(LAB).todos
POINTS = {number: todo.points for number, todo in TODOS.items()}
EACH = Plan({f"test_{number}": number for number in TODOS}, frozenset(), POINTS)
PLAN = Plan({"a": 1, "refuses": 1, "b": 2, "c": 2, "d": 2}, frozenset({"refuses"}), {1: 2, 2: 4})
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e]]>\x00=1"


def found(todo: int, verdict: str, message: str = "", **fields: object) -> Record:
    """What a record has of one test; a failure's cause is its message."""
    raised = (
        {"reason": "", "cause": message.partition("\n")[0], "line": 0, "message": message} if verdict != "pass" else {}
    )
    return {"todo": todo, "verdict": verdict, "loaded": True} | raised | fields


def recorded(tests: dict[str, Record], ended: str = "", **misconceptions: str) -> Record:
    return {"tests": tests, "misconceptions": misconceptions, "ended": ended}


def record(**verdicts: str) -> Record:
    return recorded(
        {test: found(PLAN.todo_of.get(test, 1), verdict, f"{test} fails") for test, verdict in verdicts.items()}
    )


def states(grade: Grade) -> dict[str, str]:
    return {outcome.test: outcome.state for outcome in grade.outcomes}


@pytest.mark.parametrize(
    ("verdicts", "points", "named"),
    [
        ("a=pass refuses=pass b=pass c=wrong d=todo", {1: 200, 2: 133}, "passed passed passed wrong todo"),
        ("a=wrong refuses=pass b=pass c=pass d=pass", {1: 0, 2: 400}, "wrong alone passed passed passed"),
        ("a=pass refuses=pass b=pass forged=pass", {1: 200, 2: 133}, "passed passed passed missing missing"),
    ],
    ids=["by TODO", "a negative test earns nothing alone", "missing and unexpected tests earn nothing"],
)
def test_points(verdicts: str, points: dict[int, int], named: str) -> None:
    grade = score(PLAN, record(**dict(word.split("=") for word in verdicts.split())))
    assert grade.points == points and grade.score == sum(points.values())
    assert states(grade) == dict(zip(PLAN.todo_of, named.split(), strict=True))


def test_a_test_of_another_todo_is_not_the_same_test() -> None:
    moved = record(a="pass", refuses="pass")
    moved["tests"]["b"] = found(1, "pass")
    assert score(PLAN, moved).points == {1: 200, 2: 0}


@pytest.mark.parametrize(
    ("rest", "more", "remark"),
    [
        ("todo", {}, "no TODO is written"),
        ("todo", {"a": "pass"}, ""),
        ("wrong", {}, "no test passes: a fails"),
        ("wrong", {"b": "todo"}, "no test passes: a fails"),
        ("wrong", {"refuses": "pass"}, ""),
    ],
)
def test_where_no_test_passes_it_is_remarked_upon(rest: str, more: dict[str, str], remark: str) -> None:
    assert score(PLAN, record(**dict.fromkeys(PLAN.todo_of, rest) | more)).remark == remark


def test_a_file_that_does_not_load_and_a_lack_of_time_are_remarked_upon() -> None:
    unloaded = record(a="wrong", refuses="wrong", b="wrong", c="wrong", d="wrong")
    for test in unloaded["tests"].values():
        test |= {"loaded": False, "cause": "NameError: x", "line": 7}
    grade = score(PLAN, unloaded)
    python = "Python {}.{}".format(*sys.version_info)
    assert grade.remark == f"the file does not load in {python}: NameError: x, line 7", "it may be for a newer one"
    assert not grade.ran and set(states(grade).values()) == {"missing"}
    late = record(a="pass", refuses="pass", b="pass", c="wrong", d="wrong")
    late["tests"]["c"]["reason"] = "timeout"
    late["tests"]["d"] |= {"reason": "not run", "message": "not begun\n\nWhat should happen: d"}
    grade = score(PLAN, late)
    assert grade.ran and grade.remark == "2 of its tests ran out of time or were not begun"
    assert grade.outcomes[-1].state == "missing" and grade.outcomes[-1].brief == "not begun"


def planned(record_of: dict[str, Record]) -> Plan:
    reference = LAB.solution.read_text(encoding="utf-8")

    def run(jobs: list[Job]) -> dict[str, Record]:
        return {job.key: record_of["reference" if job.text == reference else "others"] for job in jobs}

    return make_plan(LAB, GradingRules(2, ""), run)  # type: ignore[arg-type]


def lab_record(passes: str) -> Record:
    kinds = {kind: "pass" if kind in passes else "wrong" for kind in ("does", "refuses")}
    return recorded({f"{kind}{todo}": found(todo, verdict, "so") for todo in TODOS for kind, verdict in kinds.items()})


def test_the_plan_comes_from_the_reference_and_from_trivial_submissions() -> None:
    plan = planned({"reference": lab_record("does refuses"), "others": lab_record("refuses")})
    assert plan.free == {f"refuses{number}" for number in TODOS}
    assert len(plan.todo_of) == 2 * len(TODOS)
    assert score(plan, lab_record("refuses")).score == 0
    assert score(plan, lab_record("does refuses")).score == 100 * sum(plan.points.values())


@pytest.mark.parametrize(
    ("reference", "others", "said"),
    [
        (lab_record("does"), "", "its own reference fails 6 of 12 tests"),
        (lab_record("does refuses"), "does refuses", "trivial submissions pass all of its tests"),
        (recorded({}, "it burned"), "", "it burned"),
    ],
)
def test_a_lab_that_cannot_be_graded(reference: Record, others: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        planned({"reference": reference, "others": lab_record(others)})


def echoed(pattern: str, position: int, *, chars: frozenset[str] = frozenset()) -> str | None:
    """A function for which no lab has a trivial answer."""
    return None


def compiled(pattern: str) -> Fsm:
    """A function that returns an object."""
    raise NotImplementedError


def filled(kind: str, number: int) -> dict[str, Any]:
    module = {"echoed": echoed, "compiled": compiled}
    fill_in(module, list(module), kind, number)
    return module


@pytest.mark.parametrize(
    ("kind", "number", "answer"),
    [
        ("constant", 2, 0),
        ("value", 1, "a"),
        ("value", 5, None),
        ("argument", 1, 7),
        ("argument", -1, frozenset("z")),
        ("argument of the type", 0, "[ab]"),
        ("argument converted", 0, "[ab]"),
        ("argument converted", 1, "7"),
    ],
)
def test_trivial_submissions_answer_by_the_signature_alone(kind: str, number: int, answer: object) -> None:
    assert filled(kind, number)["echoed"]("[ab]", 7, chars=frozenset("z")) == answer


def test_trivial_submissions_make_objects_and_raise_each_error() -> None:
    """An automaton of one state; the errors of the course with what they are asked about, and Python's own."""
    made = filled("value", 0)["compiled"]("x")
    assert (made.transitions, made.initial, made.accepting) == (({},), 0, frozenset({0}))
    raised = []
    for kind, number in bodies():
        if kind == "refusal":
            with pytest.raises(Exception) as error:
                filled(kind, number)["echoed"]("[ab]", 7)
            raised.append(error.value)
    assert {"InvalidPattern", "UnsupportedSchema", "TypeError", "ValueError"} <= {
        type(each).__name__ for each in raised
    }
    (pattern,) = (each for each in raised if isinstance(each, InvalidPattern))
    assert (pattern.pattern, pattern.position) == ("[ab]", 7)


def test_the_key_is_of_everything_that_decides() -> None:
    base = GradingRules(2, "bubblewrap", tests="t")
    jobs = [Job(base, "x"), Job(base, "y")]
    jobs += [Job(GradingRules(2, "bubblewrap", tests=tests, seed=seed), "x") for tests, seed in (("u", None), ("t", 1))]
    jobs += [
        Job(GradingRules(2, sandbox, test_s, tests="t"), "x") for sandbox, test_s in (("", 10.0), ("bubblewrap", 9.0))
    ]
    assert len({job.key for job in jobs}) == len(jobs)
    assert Job(GradingRules(2, "bubblewrap", tests="t"), "x").key == jobs[0].key


def test_records_are_found_again_and_damaged_ones_are_not(tmp_path: Path) -> None:
    store, job, other = Store(tmp_path / "out", LAB), Job(GradingRules(2, ""), "x"), Job(GradingRules(2, ""), "y")
    assert store.missing([job, job, other]) == [job, other]
    store.put(job, record(a="pass"))
    assert Store(tmp_path / "out", LAB).missing([job, other]) == [other]
    (tmp_path / "out" / "records" / f"{job.key}.json").write_text('{"key": "')
    assert store.missing([job]) == [job]
    store.put(other, record(a="pass"))
    (tmp_path / "out" / "records" / f"{other.key}.json").rename(tmp_path / "out" / "records" / f"{job.key}.json")
    assert store.get(job) is None, "the record of another submission"


def test_shards_cover_the_class_and_others_are_refused() -> None:
    everybody = list(range(23))
    parts = [everybody[shard(f"{part}/5")] for part in range(1, 6)]
    assert sorted(number for part in parts for number in part) == everybody
    for text in ("0/3", "4/3", "1", "a/b", "1/0", "1/3/5", "-1/3"):
        with pytest.raises(ValueError, match="no part like 3/10"):
            shard(text)


def hostile_room() -> Classroom:
    plan = Plan({f"test_{n}[{HOSTILE}]": n for n in TODOS}, frozenset(), POINTS)
    bad = {name: found(n, "wrong", HOSTILE) for name, n in plan.todo_of.items()}
    grade = score(plan, recorded(bad, HOSTILE, **{"1": "It reads backwards."}))
    grades = {"=cmd|' /C calc'!A1": grade, HOSTILE: grade, "x" * 5000: ungraded(plan, "no file")}
    return Classroom(LAB, TODOS, grades, "bubblewrap", ("UNSAFE: so it is",), (HOSTILE,))


HOSTILE_ROOM = hostile_room()


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    write_reports(tmp_path, HOSTILE_ROOM)
    return tmp_path


def test_the_table_is_no_program(reports: Path) -> None:
    rows = list(csv.DictReader(io.StringIO((reports / "grades.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 3
    assert list(rows[0])[:4] == ["student", "score", "max_score", "todo_1"]
    assert all(row["max_score"] == money(100 * sum(POINTS.values())) for row in rows)
    for row in rows:
        assert not any(str(value).lstrip().startswith(tuple("=+-@\t\r")) for value in row.values())
        assert all(str(value).isprintable() for value in row.values())
        assert "UNSAFE" in row["notes"]


def test_the_pages_are_no_programs(reports: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in reports.glob("students/*.html")]
    assert len(pages) == 3
    for text in pages:
        assert not {"script", "img", "link", "iframe", "object", "form"} & set(re.findall(r"<\s*(\w+)", text))
        places = re.findall(r"(?:src|href|action)\s*=\s*[\"']?([^\"'>]*)", text)
        assert all(re.fullmatch(r"#todo-\d+", place) for place in places)
        assert "\x1b" not in text and "\u202e" not in text and "UNSAFE: so it is" in text
    assert any("It reads backwards." in text and "Hint 3" in text for text in pages)
    assert any("&lt;script&gt;alert(1)&lt;/script&gt;" in text for text in pages), "shown as text"


def test_the_terminal_says_what_to_talk_about(reports: Path) -> None:
    console = Console(file=io.StringIO(), soft_wrap=True)
    summary(console, HOSTILE_ROOM, reports)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "known mistakes, and how many make them:\n     2  TODO 1: It reads backwards.\n" in said
    assert "tests that most files fail:\n     2  TODO 1: test_1[<script>" in said
    assert "files that were ignored:\n  <script>" in said
    assert "\x1b" not in said and "\u202e" not in said


def test_a_message_that_all_tests_share_is_shown_once(tmp_path: Path) -> None:
    bad = {
        name: found(n, "wrong", "NameError: x\n\nNo test can run.", loaded=False) for name, n in EACH.todo_of.items()
    }
    good = {name: found(n, "pass") for name, n in EACH.todo_of.items()}
    grades = [score(EACH, recorded(tests)) for tests in (bad, good)]
    room = Classroom(LAB, TODOS, dict(zip(("ann", "bob"), grades, strict=True)), "bubblewrap")
    write_reports(tmp_path, room)
    page = next(tmp_path.glob("students/ann-*.html")).read_text(encoding="utf-8")
    assert page.count("No test can run.") == 1
    assert room.failed_tests() == [], "of what did not load, no test says anything"
    assert room.in_numbers == "median 10.50, mean 10.50; 1 with all points, 1 of which no test could run"


def test_a_students_page_shows_one_failure_for_each_cause(tmp_path: Path) -> None:
    """One line's errors that differ in values alone are shown once, and the first of one test's wrong answers."""
    tests = {f"test_{part}[{n}]": 1 for part in "abc" for n in range(5)} | {f"test_{n}": n for n in TODOS if n > 1}
    plan = Plan(tests, frozenset(), POINTS)
    bad = {
        name: found(todo, "wrong", f"NameError: x, in {name}", cause="NameError", line=7 + (todo == 3), call="")
        for name, todo in tests.items()
    }
    for n in range(5):
        bad[f"test_b[{n}]"] |= {"call": f"f({n})", "cause": "expected 1, yours 2", "line": 0, "message": f"f({n}) is"}
    for n, key in enumerate(("'x'", "12", "b'\\''", "'cut off", "'x'")):
        bad[f"test_c[{n}]"] |= {"cause": f"KeyError: {key}", "line": 9, "message": f"KeyError: {key}, in {n}"}
    bad["test_c[4]"] |= {"line": 10}  # another line is another cause
    write_reports(tmp_path, Classroom(LAB, TODOS, {"ann": score(plan, recorded(bad))}, "bubblewrap"))
    page = next(tmp_path.glob("students/ann-*.html")).read_text(encoding="utf-8")
    first = page.partition('<h2 id="todo-2">')[0]
    said = {"NameError: x, in test_a[0]": 1, "NameError: x": 1, "f(0)": 1, "f(1)": 0, "KeyError": 2, "in 4": 1}
    assert {text: first.count(text) for text in said} == said
    assert [first.count(f"and {more} more like it") for more in (3, 4)] == [1, 2]
    known = {"1": "It reads backwards."}
    write_reports(tmp_path, Classroom(LAB, TODOS, {"bob": score(plan, recorded(bad, **known))}, "bubblewrap"))
    first = next(tmp_path.glob("students/bob-*.html")).read_text(encoding="utf-8").partition('<h2 id="todo-2">')[0]
    assert first.count("<pre>") == 4 and "and 14 more like it" in first, "one failure, and three hints"
    assert "What seems to go wrong: It reads backwards." in first


def test_the_results_are_gradescopes_and_a_student_who_leaves_has_no_page(reports: Path) -> None:
    """https://gradescope-autograders.readthedocs.io/en/latest/specs/ lists the fields."""
    found = json.loads((reports / "results.json").read_text(encoding="utf-8"))
    assert found["submissions"].keys() == HOSTILE_ROOM.grades.keys() and found["ignored"] == [HOSTILE]
    for results in found["submissions"].values():
        assert results["score"] == sum(test["score"] for test in results["tests"]) <= found["max_score"]
        assert {test["status"] for test in results["tests"]} <= {"passed", "failed"}
        assert all(0 <= test["score"] <= test["max_score"] for test in results["tests"])
        assert "UNSAFE" in results["output"]
    write_reports(reports, Classroom(LAB, TODOS, {}, "bubblewrap"))  # everybody has left
    assert not list(reports.glob("students/*.html"))
