"""A student's own files in place of all references: what each lab's tests run of earlier labs, and what breaks it."""

from functools import cache

import pytest

from course.student.core.catalog import all_labs, find_lab
from course.student.core.hints import lab_data
from course.student.run.batch import grade_many
from tests.runs import without

LABS = all_labs()[1:]


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """A function that makes a folder with all references as a student's own files, but for one TODO."""

    @cache
    def make(number=0, todo=0):
        folder = tmp_path_factory.mktemp("mine")
        for lab in all_labs():
            text = without(lab.number, {todo}) if lab.number == number else without(lab.number, ())
            (folder / f"{lab.name}.py").write_text(text, encoding="utf-8")
        return folder

    return make


@pytest.fixture(scope="module")
def results(mine):
    """A function that returns what a lab's tests find in the whole chain."""
    return cache(lambda lab: grade_many(lab, [mine()], chain=True)[0])


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
def test_it_is_green_and_runs_what_the_readme_says(results, lab):
    """The sentence below a README's table of TODOs is made from ``[uses]`` in its hints.toml: no more, and no less."""
    found = results(lab)
    assert found and [result for result in found if result.verdict != "pass"] == []
    ran = {(number, name) for result in found for owner, number, name in result.ran if owner == "your"}
    assert {owner for result in found for owner, _, _ in result.ran} == {"your"}, "no reference is left"
    earlier = {number: set() for number, _ in sorted(ran) if number < lab.number}
    for number, name in ran:
        earlier.get(number, set()).add(name)
    assert earlier == {number: set(names) for number, names in lab_data(lab).uses.items()}


@pytest.mark.parametrize("lab", [lab for lab in LABS if lab_data(lab).uses], ids=lambda lab: lab.label)
def test_each_earlier_function_that_is_not_written_is_named(mine, results, lab):
    """Sabotage: with one function taken away at a time, this lab's tests wait for that TODO, and say which it is."""
    broken, todos, expected = [], [], []
    for number, names in lab_data(lab).uses.items():
        for todo in (todo for todo in lab_data(find_lab(number)).todos.values() if todo.function in names):
            reached = [each for each in results(lab) if ["your", number, todo.function] in each.ran]
            broken.append(mine(number, todo.number))
            todos.append(reached[0].todo)
            expected.append(todo.raise_text(find_lab(number)))
    found = grade_many(lab, broken, todos=todos, chain=True, most_failures=1)
    waiting = [[result.message for result in each if result.verdict == "todo"] for each in found]
    assert waiting == [[text] for text in expected]
