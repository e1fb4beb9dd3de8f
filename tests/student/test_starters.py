"""starter.py is generated from solution.py and hints.toml: what stays, what goes, and what broken marks say."""

import ast

import pytest

from course.student.core.catalog import all_labs
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter, is_edited, regions
from course.student.run.banner import describe_file
from tests.made import HINTS, SOLUTION, make_lab

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)


def functions(source):
    """Return name, signature, decorators and docstring of everything that a file defines."""
    return {
        node.name: (ast.dump(node.args), ast.dump(node.returns), ast.get_docstring(node), len(node.decorator_list))
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }


def constants(source):
    """Return the statements of a file that are no functions."""
    return [ast.unparse(node) for node in ast.parse(source).body if not isinstance(node, ast.FunctionDef)]


def raises(source):
    """Return the text of each NotImplementedError, with the name of its function."""
    return [
        (function.name, node.exc.args[0].value)
        for function in ast.parse(source).body
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Raise) and ast.unparse(node.exc.func) == "NotImplementedError"
    ]


@LABS
def test_signatures_docstrings_and_constants_stay_and_no_line_of_an_answer_is_left(lab):
    source, starter = lab.solution.read_text(encoding="utf-8"), generate_starter(lab)
    assert functions(starter) == functions(source) and functions(source)
    assert constants(starter) == constants(source)
    answer = {line.strip() for text in regions(source).values() for line in text.splitlines() if len(line.strip()) > 25}
    assert answer and not answer & {line.strip() for line in starter.splitlines()}
    assert "begin TODO" not in starter and "end TODO" not in starter


@LABS
def test_each_todo_raises_its_own_text_lines_fit_and_the_first_say_what_to_do(lab):
    starter = generate_starter(lab)
    assert raises(starter) == [(todo.function, todo.raise_text(lab)) for todo in lab_data(lab).todos.values()]
    assert max(len(line) for line in starter.splitlines()) <= 120
    assert starter.endswith("\n") and "\t" not in starter
    commands = (f"python3 -m course watch {lab.number:02}", f"python3 -m course test {lab.number:02}")
    head = starter.partition('"""')[0]
    assert all(command in head for command in (*commands, f"python3 -m course hint {lab.number:02}.1"))


def test_what_a_region_becomes(tmp_path):
    task = r'say "\n" {twice}'
    starter = generate_starter(make_lab(tmp_path, HINTS.replace('"say one"', f"'{task}'")))
    assert raises(starter)[0][1] == f"lab 07, TODO 1 (about 1 line): {task}"
    assert '    """The number one."""\n    raise NotImplementedError("lab 07, TODO 1 (about 1 line): ' in starter
    assert '        raise NotImplementedError("lab 07, TODO 2 (about 1 line): say two")\n    return 0\n' in starter
    assert "first + second" not in starter


BROKEN = {
    "never ended": ("\n    # end TODO\n", "\n", "line 13: '# begin TODO' where only '# end TODO' may stand"),
    "last never ended": ("        # end TODO\n", "", "the TODO of two has no end"),
    "never begun": ("\n    # begin TODO\n", "\n", "line 7: '# end TODO' where only '# begin TODO' may stand"),
    "nested": ("    return 1\n", "    # begin TODO\n    return 1\n    # end TODO\n", "line 7: '# begin TODO'"),
    "in another function": ("def two", "def three", "only one of solution.py's marks and hints.toml has three, two"),
    "a number": ("\n    # begin TODO\n", "\n    # begin TODO 1\n", "line 6: '# begin TODO 1' where only"),
    "no space": ("\n    # begin TODO\n", "\n    #begin TODO\n", "line 6: '#begin TODO' where only"),
    "after code": ("    return 1\n    # end TODO", "    return 1  # end TODO", "line 7: 'return 1  # end TODO'"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_broken_marks_are_named_with_their_line(tmp_path, how):
    before, after, message = BROKEN[how]
    assert before in SOLUTION
    with pytest.raises(ValueError, match="labs/lab_07_made") as caught:
        generate_starter(make_lab(tmp_path, solution=SOLUTION.replace(before, after)))
    assert message in str(caught.value)


def test_edited_means_changed_in_more_than_line_ends(tmp_path):
    lab = make_lab(tmp_path)
    assert not is_edited(lab), "no file"
    pristine = generate_starter(lab)
    for text, edited in ((pristine, False), (pristine.replace("\n", "\r\n"), False), (pristine + "\n# begun\n", True)):
        lab.starter.write_bytes(text.encode())
        assert is_edited(lab) is edited
        assert ("not edited yet" in describe_file(lab.starter, lab)) is not edited
    lab.starter.write_bytes(b"\xff\xfe no text")
    assert is_edited(lab)
