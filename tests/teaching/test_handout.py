"""``python3 -m course handout``: what is in a handout, what is not, and that one can work with it."""

import json
import re
import tomllib
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest
from rich.console import Console

from course.showcase.demo import Recording
from course.student.commands import practice
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.core.import_closure import closure
from course.student.core.starters import generate_starter, regions
from course.student.core.wrong_answers import bank
from course.teaching import handout
from course.teaching.handout import write
from course.teaching.handout.contents import contents
from course.teaching.handout.plan import Handout, files_of_the_course
from course.teaching.handout.scan import IN_A_PAGE, answers_kept_back, leaks
from tests.runs import process, solution

UPTO = 2
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")

NAME = attrgetter("name")
RECORDED = Recording("2026-01-02, a made-up machine", "what it printed\n")


def hand_out(out, edition="closed", upto="02"):
    """The exit status, and what was printed; the demo's recording is a made-up one."""
    console = Console(width=200, color_system=None, soft_wrap=True)
    with pytest.MonkeyPatch.context() as patch, console.capture() as said:
        patch.setattr(handout, "record", lambda: RECORDED)
        status = handout.hand_out(console, upto, Path(out), edition)
    return status, said.get()


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Both editions, up to lab 02: their folders by name. Tests that write into one bring it back."""
    folder = tmp_path_factory.mktemp("handouts")
    for edition in ("open", "closed"):
        status, said = hand_out(folder / edition, edition)
        assert status == 0, said
    return {edition: folder / edition for edition in ("open", "closed")}


@pytest.fixture(scope="module")
def everything():
    """What a handout of the whole course holds, by its edition."""
    plans = {edition: Handout(edition, all_labs()[-1].number) for edition in ("open", "closed")}
    return cache(lambda edition: (plans[edition], contents(plans[edition], "{}")))


@pytest.fixture(params=["open", "closed"])
def edition(request):
    return request.param


@pytest.fixture
def copy(copies, edition):
    return copies[edition]


@pytest.fixture
def solved(copies):
    """Fills the starters of a handout with the references, some of them changed; afterwards they are pristine."""
    touched = []

    def fill(edition, **changed):
        for lab in all_labs()[:UPTO]:
            path = copies[edition] / lab.path / "starter.py"
            touched.append((path, generate_starter(lab)))
            path.write_text(changed.get(f"lab_{lab.number:02}", solution(lab.number)), encoding="utf-8")
        return copies[edition]

    yield fill
    for path, text in touched:
        path.write_text(text, encoding="utf-8")


def files_in(copy):
    """The paths of a handout's files; what runs leave behind is none of them."""
    left = {"__pycache__", ".course", "out", ".pytest_cache", ".hypothesis"}
    paths = (path.relative_to(copy) for path in copy.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if not left & set(path.parts)}


def test_the_labs_up_to_one_are_there_and_no_other(copy, edition):
    """All that git knows of them, byte for byte, but for pages that are rewritten and what needs a reference."""
    labs = all_labs()[:UPTO]
    assert {path.name for path in (copy / "labs").iterdir() if path.name.startswith("lab_")} == {*map(NAME, labs)}
    held = {name for name in files_in(copy) if name.endswith("/solution.py")}
    assert held == ({f"{lab.path}/solution.py" for lab in labs[:-1]} if edition == "open" else set())
    assert not [name for name in files_in(copy) if name.startswith(("solutions/", ".git/", ".ci/", "mask_engine/"))]
    assert [Handout("open", upto).holds("mask_engine/__init__.py") for upto in (6, 7, 8)] == [False, True, True]
    for lab in labs:
        assert (copy / lab.path / "practice.ipynb").read_text(encoding="utf-8") == practice.as_text(lab)
        assert (copy / lab.path / "starter.py").read_text(encoding="utf-8") == generate_starter(lab)
        others = [name for name in files_of_the_course() if name.startswith(f"{lab.path}/")]
        for name in others:
            if Path(name).name not in ("solution.py", "bench.py", "README.md", "starter.py"):
                assert (copy / name).read_bytes() == (ROOT / name).read_bytes(), name


def test_the_settings(copy, edition):
    tool = tomllib.loads((copy / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert tool["mask-the-logits"] == {"edition": edition, "upto": UPTO}
    ini, before = tool["pytest"]["ini_options"], tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert ini.pop("lab_impl") == "starter"
    assert ini.pop("lab_chain", None) == ("mine" if edition == "closed" else None)
    assert ini == before["pytest"]["ini_options"]


def test_links_hold_and_pages_speak_of_what_is_there(copy, edition):
    pages = [name for name in files_in(copy) if name.endswith(".md")]
    assert len(pages) > 2 * UPTO
    for name in pages:
        text = (copy / name).read_text(encoding="utf-8")
        for target in LINK.findall(text):
            assert "://" in target or ((copy / name).parent / target).exists(), (name, target)
        assert "solutions/" not in text, name
    readme = (copy / "README.md").read_text(encoding="utf-8")
    assert "make demo  " in readme and "make test  " in readme and f"*{edition}* edition" in readme
    assert "03" not in readme.partition("## The syllabus")[2] and "to come" not in readme
    assert "mask_engine import" not in readme, "it needs references that are not in it"
    last = (copy / all_labs()[UPTO - 1].path / "README.md").read_text(encoding="utf-8")
    assert "`solution.py`" not in last and "This copy holds no reference" in last


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.name)
def test_a_walkthrough_can_be_run_on_the_students_own_file(lab, edition):
    needed = closure([lab.folder / "walkthrough.py"], by_functions=False)
    names = {path.relative_to(ROOT).as_posix() for path in needed if path.name != "solution.py"}
    assert [name for name in sorted(names) if not Handout(edition, lab.number).holds(name)] == []


LEAKS = {
    "as it stands": ("notes.py", lambda code: "def f(pattern, answer):\n" + code),
    "deeper": ("notes.py", lambda code: "if 1:\n  " + code.replace("\n", "\n  ")),
    "with comments": ("notes.py", lambda code: "def f(a):\n" + code.replace("\n", "  # why\n")),
    "in a docstring": ("notes.py", lambda code: f'"""Like this:\n{code}"""\n'),
    "on a page": ("notes.md", lambda code: f"# Notes\n\n```python\n{code}```\n"),
    "in a cell": ("n.ipynb", lambda code: notebook(source=code.splitlines(keepends=True))),
    "printed by a cell": ("n.ipynb", lambda code: notebook(outputs=[{"text": code.splitlines(keepends=True)}])),
    "drawn by a cell": ("n.ipynb", lambda code: notebook(outputs=[{"data": {"text/plain": [code]}}])),
}


def notebook(source=(), outputs=()):
    """The text of a notebook of one cell."""
    return json.dumps({"cells": [{"cell_type": "code", "source": list(source), "outputs": list(outputs)}]})


@pytest.mark.parametrize("how", LEAKS)
def test_an_answer_is_found(how):
    name, wrap = LEAKS[how]
    body = regions(solution(1))[1]
    kept = answers_kept_back(Handout("closed", 1))
    found = leaks({name: wrap(body).encode()}, kept)
    assert found and all("lab_01_naive_matching/solution.py, TODO 1," in leak for leak in found)
    assert not leaks({name: wrap("    return answer\n").encode()}, kept)


def test_every_answer_of_every_lab_is_looked_for():
    kept = answers_kept_back(Handout("closed", 1))
    for lab in all_labs():
        todos = {source for source in kept.values() if source.startswith(f"{lab.path}/solution.py")}
        assert len(todos) == len(regions(lab.solution.read_text(encoding="utf-8")))


def test_all_labs_may_be_handed_out(everything, edition):
    """What a handout of the whole course would hold says nothing that is kept back."""
    plan, files = everything(edition)
    assert leaks(files, answers_kept_back(plan)) == []
    pages = {name: content for name, content in files.items() if name.endswith(".md")}
    page = f"{find_lab(4).path}/README.md"
    assert page in pages and leaks(pages, answers_kept_back(plan, IN_A_PAGE)) == []
    if plan.edition == "closed":  # a line of an answer that stood there once
        pages[page] += b"\n```python\nrow[list(table[state])] = True\n```\n"
        assert len(leaks(pages, answers_kept_back(plan, IN_A_PAGE))) == 1
    assert not [name for name in files if name.startswith(("course/teaching/", "solutions/"))]
    readme = files["README.md"].decode()
    assert f"*{edition}* edition of the course, labs 01 to " in readme
    assert ("from mask_engine import" in readme) == (edition == "open")
    assert ("demo --prompt" in files["book/pages/install.md"].decode()) == (edition == "open")
    pages = [content for name, content in files.items() if name.endswith((".md", "Makefile"))]
    assert not [page for page in pages if re.search(rb"(<!--|#) (needs|without|end)\b(?! of)", page)]


def test_written_properties_are_answers_and_what_an_open_handout_shows_is_no_leak():
    kept, shown = answers_kept_back(Handout("open", 1)), answers_kept_back(Handout("open", 2))
    files = {"notes.py": regions(solution(1))[1].encode()}
    assert leaks(files, kept) and not leaks(files, shown)
    assert leaks({"p.py": (ROOT / "solutions" / "properties" / f"{find_lab(4).name}.py").read_bytes()}, shown)


@pytest.mark.parametrize("leaks_it", [True, False])
def test_with_an_answer_in_it_nothing_is_written(tmp_path, monkeypatch, leaks_it):
    """And what nobody has committed is named. A practice notebook is somebody's own; the handout has its own."""
    unknown = [f"{find_lab(1).path}/{name}" for name in ("notes.md", "practice.ipynb")]
    notebook = {unknown[1]: practice.as_text(find_lab(1)).encode()}
    leak = {unknown[0]: regions(solution(1))[1].encode()}
    monkeypatch.setattr(handout, "unknown_to_git", lambda plan: unknown)
    monkeypatch.setattr(handout, "contents", lambda plan, run: leak if leaks_it else notebook)
    status, said = hand_out(tmp_path / "out", upto="01")
    if leaks_it:
        assert status == 1 and "Nothing was written" in said and "notes.md holds what only labs/lab_01" in said
    else:
        assert status == 0 and f"nobody has committed them: {unknown[0]} (1 files)" in said
    assert (tmp_path / "out").exists() != leaks_it


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (str(ROOT / "handed"), "lies inside the course itself"),
        (str(ROOT), "lies inside the course itself"),
        ("link/handed", "lies inside the course itself"),
        ("full", "is not empty"),
        ("file", "is a file"),
    ],
)
def test_where_it_may_not_go(tmp_path, monkeypatch, out, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(ROOT, target_is_directory=True)
    before = sorted(tmp_path.rglob("*.txt"))
    with pytest.raises(ValueError, match=re.escape(message)):
        hand_out(out)
    assert sorted(tmp_path.rglob("*.txt")) == before and not (ROOT / "handed").exists()


def test_an_empty_folder_may_be_filled_and_a_new_one_made(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new/deep"):
        write({"a/b.txt": b"x"}, tmp_path / name)
        assert (tmp_path / name / "a" / "b.txt").read_bytes() == b"x"
        assert (tmp_path / name).stat().st_mode & 0o055


@pytest.mark.parametrize("error", [OSError("no space"), KeyboardInterrupt()])
def test_a_run_that_breaks_off_leaves_nothing(tmp_path, error):
    class Files(dict):
        def items(self):
            yield from super().items()
            assert [path.name for path in tmp_path.rglob("*.txt")] == ["a.txt"]
            raise error

    with pytest.raises(type(error)):
        write(Files({"a.txt": b"x"}), tmp_path / "out")
    assert not list(tmp_path.iterdir())


SEVERAL = """
import json, sys
sys.stderr = sys.stdout
from course import cli
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["course", *arguments]
    try:
        status = cli.main()
    except SystemExit as ended:
        status = ended.code
    print(f"\\n=== {status}", flush=True)
"""


def several(copy, *commands):
    """Commands one after another in one process: for each its exit status, and what it printed."""
    said = process(copy, "-c", SEVERAL, json.dumps(commands))[1]
    parts = re.split(r"\n=== (\w+)\n", said)
    return [(int(status), text) for text, status in zip(parts[::2], parts[1::2], strict=False)]


def test_its_own_test_of_the_copy_passes(copy):
    status, said = process(copy, "-m", "pytest", "-q", "--impl=solution", "tests/test_this_copy.py")
    assert status == 0 and " passed" in said, said
    makefile = (copy / "Makefile").read_text(encoding="utf-8")
    assert "COMMANDS := demo test status doctor\n" in makefile and makefile.endswith("\t@$(PYTHON) -m course $@\n")


def test_the_tests_of_labkit_go_along_where_they_need_nothing_else():
    handed = [name for name in files_of_the_course() if name.startswith("tests/") and Handout("closed", 1).holds(name)]
    assert {"tests/labkit/test_labkit.py", "tests/labkit/pictures/test_pictures.py"} <= set(handed)
    for name in handed:
        assert not re.search(r"^(from|import) (course|labs|bridges)", (ROOT / name).read_text("utf-8"), re.M), name


def test_the_demo_of_a_closed_handout_is_a_recorded_run_and_says_so(copies):
    status, said = process(copies["closed"], "-m", "course", "demo")
    assert status == 0 and "RECORDED\nwhat it printed\n" in said and "Your turn." in said, said
    assert "a run of 2026-01-02, a made-up machine" in said


def test_the_model_and_the_explorers_are_there_to_play_with(copy):
    """Whoever has no reference can play with the model, and with the labs that are there."""
    for lab, page in (("", "index"), ("01", "play_01")):
        status, said = process(copy, "-m", "course", "play", *[lab] * bool(lab), "--no-open")
        assert status == 0, said
        text = (copy / f"out/play/{page}.html").read_text(encoding="utf-8")
        linked = re.findall(r'<a href="(.*?)"', text)
        assert "kinds." in text and len(linked) == 1 + UPTO
        assert all((copy / "out/play" / name).is_file() for name in linked)


def test_closed_labs_stand_on_the_students_own(solved):
    copy = solved("closed")
    status, said = process(copy, "-m", "pytest", "-q", "--lab-timeout=60")
    last = said.splitlines()[-1]
    assert status == 0 and "graded each starter.py" in last and "\nran: your 01 (" in said, said
    solved("closed", lab_01=generate_starter(find_lab(1)))
    status, said = process(copy, "-m", "pytest", "-q", "--lab-timeout=60", find_lab(2).path)
    assert status == 1 and "lab 02 stands on your lab 01, TODO" in said and " 0 wrong" in said, said
    status, said = process(copy, "-m", "pytest", "-q", find_lab(2).path, LAB_CHAIN="reference")
    assert status == 4 and "holds no references" in said


def test_open_labs_stand_on_the_references(solved):
    copy = solved("open", lab_01=generate_starter(find_lab(1)))
    status, said = process(copy, "-m", "pytest", "-q", "--lab-timeout=60", find_lab(2).path)
    assert status == 0 and "\nran: " not in said and "done! next: python3 -m course next" in said, said
    assert "on a real model: python3 -m course show 02 --model small ·" in said
    status, said = process(copy, "-m", "pytest", "-q", "--impl=solution", find_lab(2).path)
    assert status == 4 and "holds no reference of lab 02" in said


def test_a_student_can_try_the_graders_rules(solved, edition):
    status, said = process(solved(edition), "-m", "course", "test", "02", "--as-graded")
    assert status == 0 and "lab 02: submit starter.py alone" in said, said


def test_the_students_commands(solved, edition):
    copy = solved(edition)
    hints = [["hint", "02.1", str(number)] for number in (1, 2, 3)]
    of_show = ["show", "02"]
    show, reset, status, *hints, diff = several(copy, of_show, ["reset", "02"], ["status"], *hints, ["diff", "02"])
    assert status[0] == 0 and "not begun" in status[1] and ("LAB_CHAIN" in status[1]) == (edition == "open"), status[1]
    assert show[0] == 0 and "chosen" in show[1] and "not judged" in show[1], show[1]
    starter = (copy / find_lab(2).path / "starter.py").read_text(encoding="utf-8")
    assert reset[0] == 0 and starter == generate_starter(find_lab(2))
    assert all(status == 0 and "the reference is" not in said for status, said in hints)
    assert diff[0] == 2 and diff[1].startswith("error: this copy of the course holds no reference of lab 02")


def test_every_show_of_a_pristine_closed_handout_ends_with_what_to_write(everything, tmp_path):
    write(everything("closed")[1], tmp_path / "all")
    ended = several(tmp_path / "all", *(["show", f"{number:02}"] for number in range(1, 16)))
    for status, said in ended:
        *_, last = (line for line in said.splitlines() if not line.startswith("ran: "))
        refused = status == 2 and last.startswith("error: ") and "that is not written yet: lab " in last
        assert "Traceback" not in said and (refused or last.startswith("hint: python3 -m course hint ")), said[-2000:]
    assert len(ended) == 15 and [status for status, _ in ended].count(0) >= 13


def test_what_needs_the_whole_course_is_refused(copy):
    (bench, said), (status, other) = several(copy, ["bench"], ["handout"])
    assert bench == 2 and said.startswith("error: the bench needs references")
    assert status == 2 and "No such command 'handout'" in other and "Traceback" not in other


def test_a_known_mistake_is_named_without_the_bank(solved):
    answer = next(answer for answer in bank(find_lab(2)) if answer.todo == 1)
    copy = solved("closed", lab_02=answer.submission())
    _, said = process(copy, "-m", "pytest", "-q", "--todo=1", "--lab-timeout=60", find_lab(2).path)
    assert f"What seems to go wrong: {answer.mistake}" in said


def test_what_imports_a_missing_reference_gets_the_students_file(solved):
    copy = solved("closed", lab_01="raise ValueError('mine')\n")
    first, second = (lab.path.replace("/", ".") for lab in all_labs()[:2])
    code = (
        f"import labs.own_files, sys\nfrom course.student.core.trace import student_trace\n"
        f"try:\n    import {first}.solution\nexcept ValueError as error:\n    print(student_trace(error).frames[0])\n"
        f"labs.own_files.install()\nprint(sum(type(each).__name__ == 'OwnFiles' for each in sys.meta_path))\n"
        f"try:\n    import {second}.solutions\nexcept ModuleNotFoundError as error:\n    print(error)\n"
    )
    status, said = process(copy, "-c", code)
    assert status == 0, said
    own, installed, missing = said.splitlines()
    assert own == "starter.py:1 in <module>: raise ValueError('mine')" and installed == "1"
    assert missing == f"No module named '{second}.solutions'"
