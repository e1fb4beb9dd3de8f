"""hints.toml: what it must hold, that its hints give no line of the solution away, and what is made from it."""

import ast
import re
from dataclasses import replace
from itertools import combinations

import pytest

from course.student.core.catalog import all_labs
from course.student.core.hints import lab_data
from course.student.core.starters import regions
from course.upkeep.pages.readmes import todo_table, with_part
from tests.made import HINTS, TODO, make_lab
from tests.times import minutes_in

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)


def plain(text):
    """Return a text without case and spacing."""
    return " ".join(text.lower().split())


def code_lines(lab):
    """Return the lines of the solution's marked regions that are long enough to say something."""
    marked = regions(lab.solution.read_text(encoding="utf-8")).values()
    lines = [line.strip() for region in marked for line in region.splitlines()]
    return [line for line in lines if len(line) >= 12 and not line.startswith("#")]


@LABS
def test_no_hint_holds_a_line_of_the_solution(lab):
    lines = code_lines(lab)
    assert lines
    for todo in lab_data(lab).todos.values():
        for hint in todo.hints:
            assert not [line for line in lines if plain(line) in plain(hint)], (todo.number, hint)


CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
ELSEWHERE = re.compile(r"(np|itertools)\.|logaddexp\.|NumPy$|NaN$|\w+Error$")
"""What NumPy and the standard library call their functions: a search engine finds those."""


def code_names(text):
    """Return the words of a hint that only code has: with an underscore, a dot or a capital inside."""
    words = {word for word in CODE.findall(text) if not ELSEWHERE.match(word)}
    return {word for word in words if re.search(r"\w_\w|\w\.\w|[a-z][A-Z]", word)}


def readable_without_hints(lab, todo):
    """Return what a student reads about a TODO: its part of the README, its docstring, and the other TODOs' names."""
    tree = ast.parse(lab.starter.read_text(encoding="utf-8"))
    [node] = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == todo.function]
    parts = re.split(r"^(?=## )", (lab.folder / "README.md").read_text(encoding="utf-8"), flags=re.M)
    part = next(part for part in parts if f"### TODO {todo.number}:" in part)
    functions = [each.function for each in lab_data(lab).todos.values()]
    return "\n".join([part, ast.unparse(node), *functions])


@LABS
def test_no_name_is_in_a_hint_alone(lab):
    """A hint says what to do with what you've read; whatever the course calls by name, you've met before."""
    for todo in lab_data(lab).todos.values():
        known = readable_without_hints(lab, todo)
        for hint in todo.hints:
            unknown = [name for name in code_names(hint) if not re.search(rf"\b{name.rpartition('.')[2]}\b", known)]
            assert not unknown, (todo.number, todo.function, unknown)


@LABS
def test_no_two_hints_are_alike(lab):
    hints = [{*plain(hint).split()} for todo in lab_data(lab).todos.values() for hint in todo.hints]
    for one, two in combinations(hints, 2):
        assert len(one & two) < 0.6 * max(len(one), len(two)), one & two


@LABS
def test_each_todo_lies_in_the_function_that_it_names_and_is_about_as_long_as_it_says(lab):
    source = lab.solution.read_text(encoding="utf-8")
    marked = regions(source)
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    for number, todo in lab_data(lab).todos.items():
        node = functions[todo.function]
        text = "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno + 1])
        assert "# begin TODO\n" in text, f"TODO {number} is not in {todo.function}"
        real = len([line for line in marked[number].splitlines() if line.strip()])
        assert abs(todo.lines - real) <= max(3, real / 2), f"TODO {number} says {todo.lines} lines and has {real}"


@LABS
def test_every_todo_has_a_test_and_a_task_that_fits_where_it_is_shown(lab):
    """That every test has a mark, and one of its lab's TODOs, is seen by every run."""
    marks = {*re.findall(r'mark\.todo\("(\w+)"\)', (lab.folder / "test_lab.py").read_text(encoding="utf-8"))}
    for todo in lab_data(lab).todos.values():
        assert todo.function in marks
        assert "|" not in todo.task and "\n" not in todo.task and not todo.task.endswith("."), todo.task
        assert todo.raise_text(lab).startswith(f"{lab.label}, TODO {todo.number} (about {todo.lines} line")


@LABS
def test_the_todos_take_most_of_the_time_that_the_lab_states(lab):
    stated = minutes_in(lab_data(lab).badge)
    assert 0.7 * stated <= sum(todo.minutes for todo in lab_data(lab).todos.values()) <= stated


@pytest.mark.parametrize("lab", [lab for lab in all_labs() if lab_data(lab).optional], ids=lambda lab: lab.label)
def test_the_page_says_where_the_optional_part_begins(lab):
    text = (lab.folder / "README.md").read_text(encoding="utf-8")
    before, after = re.split(r"^## .*optional.*$", text, flags=re.MULTILINE)
    told = [[int(n) for n in re.findall(r"^#+ .*TODO (\d+)", part, re.MULTILINE)] for part in (before, after)]
    assert max(told[0], default=0) < lab_data(lab).optional == min(told[1])


def test_part_one_is_done_where_all_that_is_left_is_optional():
    data = replace(lab_data(all_labs()[0]), optional=4)
    assert data.part_one_is_done({4, 6}, set()) and not data.part_one_is_done({3, 4}, set())
    assert not data.part_one_is_done({4}, {5}) and not data.part_one_is_done(set(), set())


def test_what_is_read(tmp_path):
    data = lab_data(make_lab(tmp_path))
    assert (data.title, data.badge, list(data.todos)) == ("Made", "CPU-OK", [1, 2])
    todo = data.todos[2]
    assert (todo.number, todo.function, todo.lines, todo.points) == (2, "two", 1, 2)
    assert (todo.minutes, todo.difficulty) == (5, "easy")
    assert todo.hints == ("the idea of two", "its invariant", "in pseudo-code")


MISTAKES = {
    "a missing hint": ('"its invariant", ', "", "[todo.one] needs 3 hints"),
    "an empty hint": ('"its invariant"', '" "', "[todo.one] needs 3 hints with text"),
    "the same hint twice": ('"its invariant"', '"in pseudo-code"', "[todo.one] gives the same hint twice"),
    "hints as one text": (
        '["the idea of one", "its invariant", "in pseudo-code"]',
        '"abc"',
        "[todo.one] needs 'hints'",
    ),
    "no hints": ('hints = ["the idea of one"', 'tips = ["the idea of one"', "[todo.one] has an unknown entry 'tips'"),
    "an unknown key": ("lines = 1", "lines = 1\nhours = 3", "[todo.one] has an unknown entry 'hours'"),
    "a missing key": ("points = 2\n", "", "[todo.one] needs 'points'"),
    "no lines": ("lines = 1", "lines = 0", "[todo.one] needs 'lines'"),
    "less than no time": ("minutes = 5", "minutes = -5", "[todo.one] needs lines, minutes and points of at least 1"),
    "no such difficulty": ("easy", "nice", "[todo.one] needs a difficulty of easy, medium, hard, not 'nice'"),
    "a number as text": ("lines = 1", 'lines = "1"', "[todo.one] needs 'lines': a number"),
    "an empty task": ('"say one"', '""', "[todo.one] needs 'task': a text"),
    "the same TODO twice": ("[todo.two]", "[todo.one]", ""),
    "no title": ('title = "Made"\n', "", "[lab] needs 'title'"),
    "no such function": ('title = "Made"', 'title = "Made"\noptional = "three"', "[lab]: 'optional' names the first"),
    "nothing but options": ('title = "Made"', 'title = "Made"\noptional = "one"', "[lab]: 'optional' names the first"),
    "no [lab]": ("[lab]", "[labs]", "the file has an unknown entry 'labs'"),
    "no TOML": ("[lab]", "[lab", ""),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_file_and_entry(tmp_path, mistake):
    before, after, message = MISTAKES[mistake]
    assert before in HINTS
    lab = make_lab(tmp_path, HINTS.replace(before, after, 1))
    with pytest.raises(ValueError, match=r"^labs/lab_07_made/hints\.toml: ") as caught:
        lab_data(lab)
    assert message in str(caught.value)


def test_numbers_follow_the_order_and_no_file_at_all(tmp_path):
    lab = make_lab(tmp_path, HINTS.partition("\n[todo")[0] + "".join(TODO.format(function=name) for name in "ba"))
    assert {number: todo.function for number, todo in lab_data(lab).todos.items()} == {1: "b", 2: "a"}
    lab_data.cache_clear()
    (lab.folder / "hints.toml").unlink()
    with pytest.raises(ValueError, match=r"labs/lab_07_made/hints\.toml: .*No such file"):
        lab_data(lab)


def test_the_readmes_table_comes_from_the_same_data_and_goes_between_its_marks(tmp_path):
    lab = make_lab(tmp_path)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in todo_table(lab).splitlines()]
    assert rows[0][:3] == ["TODO", "function", "task"] and set(rows[1]) == {"---"}
    assert rows[2] == ["1", "`one`", "say one", "1 line, 5 min, easy", "2", "`07.1`"]
    assert {len(row) for row in rows} == {6} and len(rows) == 4
    page = tmp_path / "README.md"
    page.write_text("before\n<!-- a table: begin -->\nold\n<!-- a table: end -->\nafter\n", encoding="utf-8")
    new = "before\n<!-- a table: begin -->\n| new |\n<!-- a table: end -->\nafter\n"
    assert with_part(page, "a table", "| new |\n") == new
    with pytest.raises(ValueError, match=r"README\.md lacks the lines <!-- a list: begin --> and"):
        with_part(page, "a list", "")
