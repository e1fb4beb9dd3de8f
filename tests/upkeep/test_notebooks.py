"""The notebooks, without a kernel: in step with their sources, whole, safe to show; and what a filled-in one scores."""

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode
from collections import Counter
from importlib import import_module

import pytest

from course.student.commands import practice
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.hints import lab_data
from course.student.core.notebook_file import code_cell, markdown_cell, notebook_text, read
from course.student.core.starters import regions
from course.upkeep.pages.notebook_diff import differences
from course.upkeep.pages.notebooks import BRIDGE, labs_with_walkthrough, notebook_of, source_of
from course.upkeep.pages.pictures import all_pictures

LABS = all_labs()
SECTIONS = ["Your TODOs", "Files", "Try to break it", "How the real engines do it", "Going further", "References"]
"""The sections of every lab's README, in this order; the sections that teach the TODOs come after the first."""

OPENING = 150
"""Within so many words, a README shows its picture and asks the reader for a prediction."""

SHORT, LONG = 1500, 3000
"""The most words in the README of one of the first five labs, and of any other."""

each_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
each_notebook = pytest.mark.parametrize("lab", [*LABS, BRIDGE], ids=lambda lab: lab.path)


def as_percent(cells) -> str:
    """The cells as the text of a ``.py`` file, by the rules of the percent format alone."""
    parts = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            lines = [f"# {line}".rstrip() for line in cell["source"].splitlines()]
            parts.append("\n".join(["# %% [markdown]", *lines]))
        else:
            tags = "".join(f' tags=["{tag}"]' for tag in cell["metadata"].get("tags", []))
            parts.append(f"# %%{tags}\n{cell['source']}")
    return "\n\n".join(parts) + "\n"


def svgs() -> list[tuple[str, str]]:
    found = [(path.name, path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("labs/*/pictures/*.svg"))]
    for lab in [*LABS, BRIDGE]:
        for cell in read(notebook_of(lab)):
            for output in cell.get("outputs", []):
                if coded := re.search(
                    r'src="data:image/svg\+xml;base64,([^"]+)"', output.get("data", {}).get("text/html", "")
                ):
                    found.append((f"{lab.path}: {cell['source'][-60:]}", b64decode(coded[1]).decode()))
    return found


# Walkthroughs -------------------------------------------------------------------------------------


def test_every_lab_has_a_walkthrough():
    assert labs_with_walkthrough() == list(LABS)


@each_notebook
def test_the_walkthrough_is_made_of_its_source(lab):
    script = re.sub(r"\n{3,}(?=# %%)", "\n\n", source_of(lab).read_text(encoding="utf-8"))
    assert as_percent(read(notebook_of(lab))) == script, "out of step; to build it: python -m course notebooks"


@each_notebook
def test_cells_that_say_something_have_said_it(lab):
    for cell in read(notebook_of(lab)):
        if cell["cell_type"] == "code":
            last = ast.parse(cell["source"]).body[-1]
            says = "print(" in cell["source"] or isinstance(last, ast.Expr)
            assert bool(cell["outputs"]) == says, f"outputs of the cell {cell['source'][:60]!r}"


@each_notebook
def test_outputs_hold_nothing_of_the_run_that_made_them(lab):
    text = notebook_of(lab).read_text(encoding="utf-8")
    for cell in read(notebook_of(lab)):
        assert cell.get("execution_count") is None
        assert {output["output_type"] for output in cell.get("outputs", [])} <= {"stream", "display_data"}
        assert all(output.get("name", "stdout") == "stdout" for output in cell.get("outputs", []))
    assert not re.search(r"\\u001b|widget| at 0x[0-9a-f]+>|ipykernel|iopub", text)
    assert str(ROOT) not in text


@each_notebook
def test_the_file_is_what_we_would_write(lab):
    """Cells, ids and order of keys: an editor that saves the notebook in its own way is noticed."""
    path = notebook_of(lab)
    assert path.read_text(encoding="utf-8") == notebook_text(read(path))


def test_pictures_are_well_formed_and_inert():
    pictures = svgs()
    assert len(pictures) > 10
    for name, text in pictures:
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg", name
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert not tags & {"script", "foreignObject", "image", "a", "use", "iframe", "animate", "set"}, name
        attributes = {key.rpartition("}")[2] for element in root.iter() for key in element.attrib}
        assert not any(key.startswith("on") or key == "href" for key in attributes), name
        assert "url(" not in text and "@import" not in text, name


# The comparison that `make check` makes ------------------------------------------------------------


def cell_saying(text, tags=()):
    return code_cell("print(x)", tags, [{"output_type": "stream", "name": "stdout", "text": text}])


def test_equal_notebooks_have_no_differences():
    cells = [markdown_cell("# One"), cell_saying("1\n")]
    assert list(differences(cells, cells)) == []


def test_another_output_is_a_difference_that_shows_both():
    (said,) = differences([cell_saying("1\n")], [cell_saying("2\n")])
    assert "'print(x)'" in said and "    1" in said and "    2" in said


def test_a_timing_may_differ():
    assert list(differences([cell_saying("1 s\n", ["timing"])], [cell_saying("2 s\n", ["timing"])])) == []


@pytest.mark.parametrize(
    "fresh",
    [
        [markdown_cell("# Two"), cell_saying("1\n")],
        [code_cell("# One"), cell_saying("1\n")],
        [markdown_cell("# One"), cell_saying("1\n", ["timing"])],
        [markdown_cell("# One")],
        [markdown_cell("# One"), cell_saying("1\n"), markdown_cell("more")],
    ],
)
def test_other_cells_are_one_difference(fresh):
    assert len(list(differences([markdown_cell("# One"), cell_saying("1\n")], fresh))) == 1


def test_importing_costs_nothing():
    """The commands import these modules; the libraries behind them take a second, and may be absent."""
    script = "import sys, course.upkeep.pages.notebooks, course.student.commands.practice; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"jupytext", "nbclient", "nbformat", "jupyter_client", "numpy"}


# Practice notebooks -------------------------------------------------------------------------------
# As they are generated: the committed file is the student's to fill in, and `python -m course check` compares it.

with_practice = pytest.mark.parametrize("lab", [lab for lab in LABS if practice.has_practice(lab)], ids=str)


@with_practice
def test_the_text_of_a_practice_notebook_is_its_cells(lab, tmp_path):
    path = tmp_path / "practice.ipynb"
    path.write_text(practice.as_text(lab), encoding="utf-8")
    assert read(path) == practice.as_notebook(lab)
    assert (lab.folder / "practice.ipynb").is_file()


@with_practice
def test_every_todo_has_a_task_and_a_cell(lab):
    cells = practice.as_notebook(lab)
    raises = [cell for cell in cells if cell["cell_type"] == "code" and "raise NotImplementedError" in cell["source"]]
    todos = lab_data(lab).todos.values()
    assert [re.search(r"def (\w+)", cell["source"])[1] for cell in raises] == [todo.function for todo in todos]
    for todo in todos:
        (task,) = [cell["source"] for cell in cells if f"TODO {todo.number}: `{todo.function}`" in cell["source"]]
        assert todo.about_lines in task and f"python -m course hint {lab.number:02}.{todo.number}" in task


@with_practice
def test_the_practice_notebook_holds_no_answer_and_no_output(lab):
    cells = practice.as_notebook(lab)
    lines = Counter(line.strip() for cell in cells for line in cell["source"].splitlines())
    answers = [
        line.strip()
        for body in regions(lab.solution.read_text(encoding="utf-8")).values()
        for line in body.splitlines()
    ]
    assert not [line for line in answers if len(line) > 12 and lines[line]]
    assert not any(cell.get("outputs") for cell in cells)


FILL_IN = """
import json, pathlib, sys
notebook, solution = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
cells = ["".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
space = {"__name__": "__main__"}
exec(cells[0], space)
exec(cells[-1], space)                     # the grading cell before any other
for cell in cells[1:]:
    exec(cell, space)                      # as it is handed out
exec(solution, space)
exec(cells[-1], space)                     # all written
exec(sys.argv[3], space)
exec(cells[-1], space)                     # one cell changed to something wrong
print("left behind:", [name for name in space if name.startswith("__lab")])
"""


def run_practice(lab: Lab, wrong: str) -> list[str]:
    """What four runs of the last cell print, in a plain process whose folder is the lab's."""
    arguments = [practice.as_text(lab), str(lab.solution), wrong]
    done = subprocess.run(
        [sys.executable, "-c", FILL_IN, *arguments], cwd=lab.folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_grading_a_practice_notebook():
    """Nothing run yet, all to do, all right, one wrong: each grading sees the functions as they are by then."""
    lab = LABS[0]
    lines = run_practice(lab, "def could_match(pattern, text):\n    return len(text) / 0")
    assert lines[0].startswith("Nothing was graded: no cell has defined find_answer, could_match, build_mask")
    last = [line for line in lines if "· graded" in line]
    total = int(re.search(r"(\d+) todo", last[0])[1])
    assert total > 50 and f"0 passed, 0 wrong, {total} todo · next: TODO 1, find_answer" in last[0]
    assert f"{total} passed, 0 wrong, 0 todo" in last[1]
    assert "0 todo · next: TODO 2, could_match" in last[2] and " 0 wrong" not in last[2]
    assert all("graded practice.ipynb (its cells as they were last run)" in line for line in last)
    assert "practice.ipynb raised ZeroDivisionError: division by zero" in lines
    assert not any(line.startswith("!!") or "solution.py" in line for line in lines)
    assert lines[-1] == "left behind: []"


# READMEs ------------------------------------------------------------------------------------------


def readme(lab: Lab) -> str:
    return (lab.folder / "README.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


@each_lab
def test_a_readme_has_its_sections_in_order(lab):
    lines = readme(lab).splitlines()
    assert re.fullmatch(rf"# Lab {lab.number:02}: .+", lines[0])
    assert lines[2] == f"**{lab_data(lab).badge}**"
    sections = re.findall(r"^## (.+)$", readme(lab), re.M)
    assert [title for title in sections if title in SECTIONS] == SECTIONS
    assert sections[0] == SECTIONS[0] and sections[-5:] == SECTIONS[1:]
    assert re.search(r"<details><summary>What the tests prove</summary>.+</details>\s*$", readme(lab), re.S)


@each_lab
def test_a_readme_opens_with_a_picture_and_a_question(lab):
    words = readme(lab).split()
    opening = " ".join(words[:OPENING])
    assert "![" in opening and "**Predict before you read on.**" in opening
    assert "(../../GLOSSARY.md)" in readme(lab)
    assert len(words) <= (SHORT if lab in LABS[:5] else LONG)


@each_lab
def test_a_readme_teaches_its_todos_in_order(lab):
    taught = re.findall(r"^#{3} TODO (\d+)\b", readme(lab), re.M)
    assert taught == [str(number) for number in lab_data(lab).todos]


@each_lab
def test_a_readme_names_tests_that_exist(lab):
    named = set(re.findall(r"\btest_\w+", readme(lab))) - {"test_lab"}
    tests = set(re.findall(r"^def (test_\w+)", (lab.folder / "test_lab.py").read_text(encoding="utf-8"), re.M))
    assert named <= tests and len(named) > 10


@each_lab
def test_the_links_and_files_of_a_readme_exist(lab):
    links = re.findall(r"\]\(([^)#:]+)\)", readme(lab))
    files = re.findall(r"^\| `([^`]+)` \|", section(readme(lab), "Files"), re.M)
    missing = [link for link in links if not (lab.folder / link).exists()]
    missing += [file for file in files if not (lab.folder / file).exists() and not (ROOT / file).exists()]
    assert not missing and links and files


@pytest.mark.parametrize(("number", "function"), [(2, "compile_pattern"), (6, "compile_dfa")])
def test_a_lab_refuses_what_its_readme_says(number, function):
    """The table of refusals, row by row, asked of the reference."""
    from labkit.errors import PatternError

    compile_ = getattr(import_module(f"labs.{find_lab(number).name}.solution"), function)
    rows = re.findall(r"^ *\| (`.+`) \| `(\w+Pattern)` \| (\d+)", readme(find_lab(number)), re.M)
    asked = [(p.replace("\\|", "|"), kind, int(at)) for ps, kind, at in rows for p in re.findall(r"`([^`]+)`", ps)]
    for pattern, kind, position in asked:
        with pytest.raises(PatternError) as caught:
            compile_(pattern)
        assert (type(caught.value).__name__, caught.value.position) == (kind, position), pattern
    assert len(asked) >= 15


@pytest.mark.parametrize("pattern", ["(a|b)*a(a|b){20}", "a$\\n"])
def test_lab_06_says_what_its_readme_shows(pattern):
    """The messages that stand there in full."""
    from labkit.errors import LimitExceeded, PatternError
    from labs.lab_06_regex_to_dfa.solution import compile_dfa

    text = readme(find_lab(6))
    assert f"`{pattern}`" in text
    with pytest.raises((LimitExceeded, PatternError)) as caught:
        compile_dfa(pattern)
    assert f"```\n{type(caught.value).__name__}: {caught.value}\n```" in text


@each_lab
def test_a_readme_gives_both_commands(lab):
    todos = section(readme(lab), "Your TODOs")
    assert f"\nLAB_IMPL=starter pytest {lab.path}\n" in todos and f"\npython -m course test {lab.number:02}\n" in todos


@pytest.mark.parametrize(("name", "draw"), all_pictures().items())
def test_a_picture_is_what_its_source_draws(name, draw):
    assert (ROOT / name).read_text(encoding="utf-8") == str(draw()), "to draw it: python -m course sync"


def test_every_committed_picture_is_drawn_and_shown():
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("labs/*/pictures/*")}
    shown = {f"{lab.path}/{link}" for lab in LABS for link in re.findall(r"!\[[^]]+\]\(([^)]+)\)", readme(lab))}
    assert files == shown == set(all_pictures())
