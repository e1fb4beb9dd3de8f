"""The notebooks, without a kernel: in step with their sources, whole, safe to show; and what a filled-in one scores."""

import ast
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from base64 import b64decode
from importlib import import_module

import pytest

from course.play.__main__ import MADE
from course.student.commands import practice
from course.student.core import notebook_file
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab, repository
from course.student.core.hints import lab_data
from course.student.core.notebook_file import code_cell, markdown_cell, notebook_text, read
from course.student.core.starters import regions
from course.upkeep import sync
from course.upkeep.pages import notebooks
from course.upkeep.pages.notebooks import BRIDGE, NOTEBOOK, SOURCE, difference
from course.upkeep.pages.readmes import pictures_of
from course.upkeep.stills import path_of
from labkit.automata import Fsm
from labkit.pictures import Svg, bar_chart, fsm_svg
from labkit.pictures.graphs import automaton, layout
from tests.runs import solution, with_function

LABS = all_labs()
PICTURES = {name: draw for lab in LABS for name, draw in pictures_of(lab).items()}
SECTIONS = ["Your TODOs", "Files", "Try to break it", "How the real engines do it", "Going further", "References"]
"""The sections of every lab's README, in this order; the sections that teach the TODOs come after the first."""

COLUMNS, LINES, VISIBLE = 88, 30, 10
"""Of code in a walkthrough: the widest line, the longest cell, the most lines to be seen up to the first picture."""

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
        for cell in read(lab.folder / NOTEBOOK):
            for output in cell.get("outputs", []):
                if coded := re.search(
                    r'src="data:image/svg\+xml;base64,([^"]+)"', output.get("data", {}).get("text/html", "")
                ):
                    found.append((f"{lab.path}: {cell['source'][-60:]}", b64decode(coded[1]).decode()))
    return found


# Walkthroughs -------------------------------------------------------------------------------------


@each_notebook
def test_the_walkthrough_is_made_of_its_source_and_written_as_we_would(lab):
    """Cells, ids and order of keys: an editor that saves the notebook in its own way is noticed."""
    script = re.sub(r"\n{3,}(?=# %%)", "\n\n", (lab.folder / SOURCE).read_text(encoding="utf-8"))
    cells = read(lab.folder / NOTEBOOK)
    assert as_percent(cells) == script, "out of step; to build it: python3 -m course notebooks"
    assert (lab.folder / NOTEBOOK).read_text(encoding="utf-8") == notebook_text(cells)


@each_notebook
def test_cells_have_said_what_they_say_and_nothing_of_the_run_that_made_them(lab):
    for cell in read(lab.folder / NOTEBOOK):
        if cell["cell_type"] == "code":
            last = ast.parse(cell["source"]).body[-1]
            says = "print(" in cell["source"] or isinstance(last, ast.Expr)
            says &= "hide-input" not in cell["metadata"].get("tags", [])
            assert bool(cell["outputs"]) == says, f"outputs of the cell {cell['source'][:60]!r}"
        assert cell.get("execution_count") is None
        assert {output["output_type"] for output in cell.get("outputs", [])} <= {"stream", "display_data"}
        assert all(output.get("name", "stdout") == "stdout" for output in cell.get("outputs", []))
    text = (lab.folder / NOTEBOOK).read_text(encoding="utf-8")
    assert not re.search(r"\\u001b|widget| at 0x[0-9a-f]+>|ipykernel|iopub", text) and str(ROOT) not in text


def code_of(place) -> list[dict]:
    return [cell for cell in read(place.folder / NOTEBOOK) if cell["cell_type"] == "code"]


@each_notebook
def test_no_cell_is_long_or_wide_and_set_up_is_folded_away(lab):
    cells = code_of(lab)
    assert [cell["source"] for cell in cells if cell["source"].count("\n") >= LINES] == []
    assert [line for cell in cells for line in cell["source"].splitlines() if len(line) > COLUMNS] == []
    folded = [cell for cell in cells if cell["metadata"].get("tags") == ["hide-input"]]
    assert folded == cells[: len(folded)] and len(folded) >= 2 and not any(cell["outputs"] for cell in folded)
    hidden = {
        "tags": ["hide-input"],
        "jupyter": {"source_hidden": True},
        "cellView": "form",
    }  # the book, Jupyter, Colab
    assert all(cell["metadata"] == hidden for cell in folded)


@each_notebook
def test_each_section_has_a_picture(lab):
    shown = {}
    for cell in read(lab.folder / NOTEBOOK):
        if cell["cell_type"] == "markdown":
            shown |= dict.fromkeys(re.findall("^## .+", cell["source"], re.M), False)
        elif shown and "<img" in str(cell["outputs"]):
            shown[[*shown][-1]] = True
    assert len(shown) >= 4 and [title for title, picture in shown.items() if not picture] == []


@each_lab
def test_a_walkthrough_opens_with_a_picture(lab):
    visible = [cell for cell in code_of(lab) if "hide-input" not in cell["metadata"].get("tags", [])]
    shown = next(place for place, cell in enumerate(visible) if "<img" in str(cell["outputs"]))
    lines = [line for cell in visible[: shown + 1] for line in cell["source"].splitlines() if line]
    assert shown <= 1 and len(lines) <= VISIBLE


@each_notebook
def test_badge_and_set_up_have_the_address_of_the_project(lab):
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    name = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", urls["Repository"])[1]
    _, badge, set_up, *_ = read(lab.folder / NOTEBOOK)
    assert badge["source"].endswith(f"/github/{name}/blob/main/{lab.path}/{NOTEBOOK})")
    assert f'\nCOURSE = "{urls["Repository"]}"\n' in set_up["source"]
    assert set_up["source"] == code_of(LABS[0])[0]["source"]


@pytest.mark.parametrize("place", ["/", f"/{LABS[1].path}", None])
def test_set_up_fetches_the_course_where_there_is_none(tmp_path, monkeypatch, place):
    """In a copy of the course, from any of its folders, it runs nothing."""
    asked, paths = [], []
    monkeypatch.setattr(subprocess, "run", lambda command, **options: asked.append([*map(str, command)]))
    monkeypatch.setattr(sys, "path", paths)
    monkeypatch.chdir(tmp_path if place is None else f"{ROOT}{place}")
    exec(code_of(LABS[0])[0]["source"], {})
    if place is not None:
        assert asked == [] and paths == [str(ROOT)]
        return
    clone, install = asked
    assert clone[:2] == ["git", "clone"] and clone[-2:] == [repository(), str(tmp_path / "mask-the-logits")]
    assert (
        install[:3] == [sys.executable, "-m", "pip"] and str(tmp_path / "mask-the-logits/requirements.txt") in install
    )
    assert paths == [str(tmp_path / "mask-the-logits")]


def test_a_fork_changes_one_line(monkeypatch):
    """The address in ``pyproject.toml``; ``sync`` brings it into every notebook."""
    theirs = "https://github.com/they/their-course"
    monkeypatch.setattr(notebook_file, "repository", lambda: theirs)
    for place in [*LABS, BRIDGE]:
        files = dict(notebooks.opened(place))
        assert [path.name for path in files] == [SOURCE, NOTEBOOK]
        for path, text in files.items():
            before = path.read_text(encoding="utf-8")
            assert text.count("they/their-course") == 2 and repository() not in text
            assert text.count("\n") == before.count("\n")


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


CELLS = [markdown_cell("# One"), cell_saying("1\n")]


LABELLED = Fsm(({"a": 1}, {"b": 0}), 0, frozenset({1}))
OTHERS = {
    "an edge": Fsm(({"a": 1}, {"b": 1}), 0, frozenset({1})),
    "a label": Fsm(({"a": 1}, {"c": 0}), 0, frozenset({1})),
    "a state": Fsm(({"a": 1}, {"b": 0}, {}), 0, frozenset({1})),
    "what accepts": Fsm(({"a": 1}, {"b": 0}), 0, frozenset({0})),
}


def cell_showing(picture):
    return code_cell("show", (), [{"output_type": "display_data", "metadata": {}, "data": picture._repr_mimebundle_()}])


def is_in_step(tmp_path, monkeypatch, committed, fresh):
    """What `sync --check` says of the picture and `check_all` of a notebook with it; they have to agree."""
    committed.save(tmp_path / "picture.svg")
    monkeypatch.setattr(sync, "generated_files", lambda labs: [(tmp_path / "picture.svg", str(fresh))])
    (same,) = {not sync.out_of_step([]), not difference([cell_showing(committed)], [cell_showing(fresh)])}
    return same


def test_another_layout_of_the_same_graph_is_in_step(tmp_path, monkeypatch):
    drawn = fsm_svg(LABELLED, title="one")
    monkeypatch.setattr(automaton, "lay_out", lambda *graph, **_: layout.lay_out(*graph, rankdir="TB", nodesep=1))
    assert str(moved := fsm_svg(LABELLED, title="one")) != str(drawn)
    assert is_in_step(tmp_path, monkeypatch, drawn, moved)
    assert not is_in_step(tmp_path, monkeypatch, drawn, fsm_svg(LABELLED, title="another alt text"))
    assert not is_in_step(tmp_path, monkeypatch, drawn, fsm_svg(LABELLED, title="one", highlight=1))


@pytest.mark.parametrize("changed", OTHERS)
def test_another_graph_is_not_in_step(tmp_path, monkeypatch, changed):
    assert not is_in_step(tmp_path, monkeypatch, *(fsm_svg(a, title="one") for a in (LABELLED, OTHERS[changed])))


def test_of_a_chart_every_coordinate_counts(tmp_path, monkeypatch):
    chart = bar_chart({"a": 1.0})
    assert not is_in_step(
        tmp_path, monkeypatch, chart, Svg(str(chart).replace('width="360"', 'width="359"'), chart.name)
    )


def test_a_difference_shows_both_and_times_make_none():
    one, other = ([CELLS[0], cell_saying(text, ["timing"])] for text in ("1 s\n", "2 s\n"))
    assert difference(CELLS, CELLS) == difference(one, other) == ""
    for fresh, lines in [
        ([code_cell("# One"), cell_saying("2\n")], ["-%% markdown []", "+%% code []", "-stdout> 1", "+stdout> 2"]),
        (one, ["-%% code []", "+%% code ['timing']"]),
        (CELLS[:1], ["-print(x)"]),
    ]:
        assert {*lines} <= {*difference(CELLS, fresh).splitlines()}


def test_importing_costs_nothing():
    """The commands import these modules; the libraries behind them take a second, and may be absent."""
    script = "import sys, course.upkeep.pages.notebooks, course.student.commands.practice; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"jupytext", "nbclient", "nbformat", "jupyter_client", "numpy"}


# Practice notebooks -------------------------------------------------------------------------------


def test_no_practice_notebook_is_in_git():
    """They are made when a student asks for one, and a pull must not meet a file that somebody has worked in."""
    known = subprocess.run(["git", "ls-files", "labs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "walkthrough.ipynb" in known and "practice.ipynb" not in known


@each_lab
def test_a_practice_notebook_has_a_task_and_a_cell_for_every_todo_and_no_answer(lab, tmp_path):
    (tmp_path / "practice.ipynb").write_text(practice.as_text(lab), encoding="utf-8")
    cells = read(tmp_path / "practice.ipynb")
    raises = [cell for cell in cells if cell["cell_type"] == "code" and "raise NotImplementedError" in cell["source"]]
    todos = lab_data(lab).todos.values()
    assert [re.search(r"def (\w+)", cell["source"])[1] for cell in raises] == [todo.function for todo in todos]
    graded = [cell["source"] for cell in cells if cell["source"].startswith("grade(")]
    numbers = [*(f"{lab.number:02}.{todo.number}" for todo in todos), f"{lab.number:02}"]
    assert graded == [f'grade("{number}", globals())\n'.strip() for number in numbers]
    for todo in todos:
        (task,) = [cell["source"] for cell in cells if f"TODO {todo.number}: `{todo.function}`" in cell["source"]]
        assert todo.about_lines in task and f"python3 -m course hint {lab.number:02}.{todo.number}" in task
    lines = {line.strip() for cell in cells for line in cell["source"].splitlines()}
    given = lab.solution.read_text(encoding="utf-8")
    bodies = regions(given).values()
    for body in bodies:
        given = given.replace(body, "")
    answers = {line.strip() for body in bodies for line in body.splitlines()}
    assert not [line for line in answers & lines if len(line) > 12 and line not in given]
    assert not any(cell.get("outputs") for cell in cells)


FILL_IN = """
import json, pathlib, sys
notebook, solution = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
cells = ["".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
space = {"__name__": "__main__"}
exec(cells[0], space)
exec(cells[-1], space)                     # the grading cell before any other
for cell in cells[1:]:
    if not cell.startswith("grade("):
        exec(cell, space)
exec(cells[-1], space)                     # as it is handed out
exec(solution, space)
exec(cells[-1], space)                     # all written
exec(next(cell for cell in cells if cell.startswith("grade(")), space)  # the tests of the first TODO
exec(sys.argv[3], space)
exec(cells[-1], space)                     # one cell changed to something wrong
print("left behind:", [name for name in space if name.startswith("__lab")])
"""


def run_practice(lab: Lab, wrong: str) -> list[str]:
    """What five runs of grading cells print, in a plain process whose folder is the lab's."""
    arguments = [practice.as_text(lab), str(lab.solution), wrong]
    done = subprocess.run(
        [sys.executable, "-c", FILL_IN, *arguments], cwd=lab.folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_grading_a_practice_notebook():
    """Nothing run yet, all to do, all right, one wrong: each grading sees the functions as they are by then."""
    lab = LABS[0]
    lines = run_practice(lab, "def build_mask(texts, prefix, viable):\n    return len(texts) / 0")
    assert lines[0].startswith("Nothing was graded: no cell has defined could_match, build_mask, apply_mask")
    last = [line for line in lines if "· graded" in line]
    total = int(re.search(r"(\d+) todo", last[0])[1])
    assert total > 50 and f"0 passed, 0 wrong, {total} todo · next: TODO 1, could_match" in last[0]
    assert f"{total} passed, 0 wrong, 0 todo" in last[1]
    assert int(last[2].split("· ")[2].split()[0]) < total and "0 wrong, 0 todo" in last[2]
    assert "0 todo · next: TODO 2, build_mask" in last[3] and " 0 wrong" not in last[3]
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
def test_a_readme_has_its_parts_in_order(lab):
    text = readme(lab)
    lines = text.splitlines()
    assert re.fullmatch(rf"# Lab {lab.number:02}: .+", lines[0])
    assert lines[2] == f"**{lab_data(lab).badge}**"
    sections = re.findall(r"^## (.+)$", text, re.M)
    assert [title for title in sections if title in SECTIONS] == SECTIONS
    assert sections[0] == SECTIONS[0] and sections[-5:] == SECTIONS[1:]
    taught = re.findall(r"^#{3} TODO (\d+)\b", text, re.M)
    assert taught == [str(number) for number in lab_data(lab).todos]
    assert re.search(r"<details><summary>What the tests prove</summary>.+</details>\s*$", text, re.S)
    opening = text.partition("\n## ")[0]
    assert "![" in opening and "**Predict before you read on.**" in opening


@each_lab
def test_a_readme_names_what_exists(lab):
    text = readme(lab)
    named = set(re.findall(r"\btest_\w+", text)) - {"test_lab"}
    tests = set(re.findall(r"^def (test_\w+)", (lab.folder / "test_lab.py").read_text(encoding="utf-8"), re.M))
    assert named <= tests and len(named) >= len(lab_data(lab).todos)
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    files = re.findall(r"^\| `([^`]+)` \|", section(text, "Files"), re.M)
    missing = [link for link in links if not (lab.folder / link).exists()]
    missing += [file for file in files if not (lab.folder / file).exists() and not (ROOT / file).exists()]
    assert not missing and files and "(../../GLOSSARY.md)" in text
    todos = section(text, "Your TODOs")
    assert f"\nLAB_IMPL=starter pytest {lab.path}\n" in todos and f"\npython3 -m course test {lab.number:02}\n" in todos


@pytest.mark.parametrize(("number", "function"), [(2, "compile_pattern"), (6, "compile_dfa")])
def test_a_lab_refuses_what_its_table_says(number, function):
    """The table of refusals, row by row, asked of the reference; lab 06's is a page of the book."""
    from labkit.errors import PatternError

    compile_ = getattr(import_module(f"labs.{find_lab(number).name}.solution"), function)
    page = readme(find_lab(2)) if number == 2 else (ROOT / "book" / "pages" / "support.md").read_text("utf-8")
    rows = re.findall(r"^ *\| (`.+`) \| `(\w+Pattern)` \| (\d+)", page, re.M)
    asked = [(p.replace("\\|", "|"), kind, int(at)) for ps, kind, at in rows for p in re.findall(r"`([^`]+)`", ps)]
    for pattern, kind, position in asked:
        with pytest.raises(PatternError) as caught:
            compile_(pattern)
        assert (type(caught.value).__name__, caught.value.position) == (kind, position), pattern
    assert len(asked) >= 10


def test_lab_06_says_what_its_readme_shows():
    """The message that stands there in full."""
    from labkit.errors import LimitExceeded
    from labs.lab_06_regex_to_dfa.solution import compile_dfa

    text, pattern = readme(find_lab(6)), "(a|b)*a(a|b){20}"
    assert f"`{pattern}`" in text
    with pytest.raises(LimitExceeded) as caught:
        compile_dfa(pattern)
    assert f"```\n{type(caught.value).__name__}: {caught.value}\n```" in text


@pytest.mark.parametrize(("number", "which", "last"), [(6, 0, 1), (6, 1, 3), (7, 0, 1), (7, 1, 4), (7, 2, 5)])
def test_what_a_readme_runs_early_needs_only_the_todos_before_it(capsys, number, which, last):
    """It says "Now run it" after that TODO, and shows what the command prints."""
    lab, half = find_lab(number), solution(number)
    for todo in list(lab_data(lab).todos.values())[last:]:
        half = with_function(half, todo.function, "raise NotImplementedError")
    before, *commands = re.split(rf'^python3 -c "from labs\.{lab.name}\.starter import \*; ', readme(lab), flags=re.M)
    command, _, after = commands[which].partition('"\n```\n\n')
    assert re.findall(r"^#+ TODO (\d+)", "".join([before, *commands[:which]]), re.M)[-1] == str(last)
    exec(half + "\n" + command.replace("; ", "\n"), {})
    assert after.startswith(f"```\n{capsys.readouterr().out}```")


def test_every_committed_picture_is_drawn_and_shown():
    """``pictures.py`` draws them, but for the stills of the explorers."""
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("labs/*/pictures/*")}
    readmes = [page for lab in LABS for page in lab.folder.rglob("README.md")]
    links = ((page, link) for page in readmes for link in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text("utf-8")))
    shown = {(page.parent / link).resolve().relative_to(ROOT).as_posix() for page, link in links}
    stills = {path_of(number).relative_to(ROOT).as_posix() for number in MADE}
    assert files == shown == {*PICTURES, *stills}
