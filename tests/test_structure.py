"""What holds for the whole repository: imports, sizes, examples, and what no file may say."""

import ast
import doctest
import importlib
import inspect
import io
import re
import statistics
import subprocess
from contextlib import redirect_stdout, suppress
from functools import cache

import pytest

from course.student.core.catalog import ROOT, all_labs
from course.student.core.hints import lab_data
from course.upkeep.lines import problem
from course.upkeep.pages.rooms import SHOWN, room_of
from tests.times import minutes_in

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
FLOORS = ("labkit", "labs", "mask_engine", "course", "bridges")
SOLUTIONS = [lab.solution for lab in all_labs()]


def tracked():
    """The files of the repository; without git, every file but what a run leaves behind."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    left_behind = {".venv", "__pycache__", ".course", "out", ".hypothesis"}
    files = [path for path in ROOT.rglob("*") if path.is_file()]
    return [path for path in files if not left_behind & set(path.relative_to(ROOT).parts) and "_cache" not in str(path)]


@cache
def texts():
    """Every tracked text file of ours with what it says."""
    found = []
    for path in (path for path in tracked() if ROOT / "course/play/vendor" not in path.parents):
        with suppress(UnicodeDecodeError):
            found.append((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")))
    return found


def python_files(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def nodes(path):
    """All nodes of a file's tree."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


# Waits ------------------------------------------------------------------------------------------------

WAITS = {"acquire", "communicate", "exception", "get", "join", "result", "wait"}
"""Methods that wait for another thread, process or future: forever, unless they are told how long."""

ASKING = ("test_lab.py", "scene.py", "probes.py", "bench.py", "pictures.py", "properties.py")
"""Files of a lab that call a student's code and use what it returns."""


def endless_waits(path):
    """Return the calls in a file that may wait forever. What is ``said`` on a console does not wait."""
    calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
    methods = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in WAITS]
    said = [ast.unparse(call) for call in methods if not call.args and not call.keywords]
    return [f"{path.name}: {call}" for call in said if call != "said.get()"]


def test_what_tests_wait_for_has_a_limit(tmp_path):
    """It may be the student's, or broken: one future that nobody resolved held up a whole class for minutes."""
    asking = [lab.folder / name for lab in all_labs() for name in ASKING if (lab.folder / name).is_file()]
    trivial = ROOT / "course" / "teaching" / "grading" / "trivial.py"
    assert not [call for path in [*python_files("tests"), *asking, trivial] for call in endless_waits(path)]
    (tmp_path / "x.py").write_text("f.result(); f.result(0); t.join(); ','.join(x); t.join(timeout=1)")
    assert endless_waits(tmp_path / "x.py") == ["x.py: f.result()", "x.py: t.join()"]


# Sizes ------------------------------------------------------------------------------------------------


def lengths(path):
    """For each function of a file: the lines from its first statement to its last, its docstring not counted.

    Blank lines and comments in between count; signature and decorators do not. A nested function is
    counted by itself, and again as part of the function around it.
    """
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[ast.get_docstring(node) is not None :]
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            yield lines, f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


PURE = {"all", "allclose", "any", "array_equal", "ascontiguousarray", "callable", "isdigit", "isinstance", "len"}
PURE |= {"search", "str", "tobytes", "tolist", "type", "view"}


def needed_asserts(tree, kept):
    """What asserts do beside looking: they call a function, name a value, or read what is made when it's first read."""
    for test in [each.test for each in ast.walk(tree) if isinstance(each, ast.Assert)]:
        for node in ast.walk(test):
            called = node.func if isinstance(node, ast.Call) else None
            impure = called and getattr(called, "id", getattr(called, "attr", "")) not in PURE
            made = isinstance(node, ast.Attribute) and node.attr in kept and ast.unparse(node.value) != "self"
            if impure or made or isinstance(node, ast.NamedExpr | ast.Await | ast.Yield):
                yield ast.unparse(test)
                break


def kept_attributes(tree):
    """The names of the cached properties of a file."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return {each.name for each in functions if "cached_property" in map(ast.unparse, each.decorator_list)}


def test_nothing_is_done_in_an_assert():
    """With ``python -O`` there are none: a warm-up in an assert was once gone without anybody noticing."""
    example = ast.parse(
        "assert walk()\nassert index.rows\nassert (n := 3)\nassert len(text) and not isinstance(n, str)"
    )
    assert len([*needed_asserts(example, {"rows"})]) == 3
    files = [path for path in python_files(*FLOORS) if path.name not in ("test_lab.py", "properties.py")]
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}
    kept = set().union(*map(kept_attributes, trees.values()))
    found = {name: [*needed_asserts(tree, kept)] for name, tree in trees.items()}
    assert not {name: asserts for name, asserts in found.items() if asserts}


def test_functions_are_short():
    """The engine's and the given ones too. A lab's pages tell a story, from top to bottom, and have more room."""
    files = [path for path in python_files(*FLOORS) if path.name not in ("starter.py", "test_lab.py")]
    counted = {path: [*lengths(path)] for path in files}
    assert statistics.median(lines for each in counted.values() for lines, _ in each) <= 10
    assert not [each for path in files for each in counted[path] if each[0] > (60 if room_of(path) == SHOWN else 40)]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only git knows which files count")
def test_rooms_have_no_more_lines_than_they_may():
    """The budget is in pyproject.toml. To raise a number is a commit of its own, with a reason."""
    assert problem() == ""


# Examples ---------------------------------------------------------------------------------------------

NO_EXAMPLE = {
    "labkit.errors.InvalidPattern": "PatternError has it",
    "labkit.errors.UnsupportedPattern": "PatternError has it",
    "labkit.errors.InvalidSchema": "SchemaError has it",
    "labkit.errors.UnsupportedSchema": "SchemaError has it",
    "labkit.vocabulary.Vocabulary.tekken": "reading it takes a second",
    "labkit.pictures.answers.DrawnAnswer": "answers_svg shows some",
    "labkit.pictures.functions.TokenFunction": "functions_svg shows one",
    "labkit.pictures.graphs.ideas.Idea": "ideas_svg shows some",
    "labkit.pictures.steps.Step": "steps_svg shows some",
    "labkit.pictures.timeline.Lane": "timeline_svg shows one",
    "labkit.pictures.timeline.Moment": "timeline_svg shows some",
    "labkit.pictures.tokens.WrittenToken": "tokens_svg shows some",
    "labs.lab_06_regex_to_dfa.given.subsets.States": "Subsets, which has all that it asks for, has one",
    "labs.lab_12_pushdown.given.guide.PushdownStates": "PushdownFSM, which stands on it, has one",
}


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def documented_modules():
    """The modules whose names people use: labkit's, and the solutions. The parts of the renderer are its own affair."""
    folders = [ROOT / "labkit" / folder for folder in ("", "automata", "checking")]
    files = [path for folder in folders for path in folder.glob("*.py") if path.stem != "__init__"]
    return [importlib.import_module(name) for name in sorted(map(module_name, files + SOLUTIONS))]


def public_objects():
    """Public functions and classes with their full names, and the public methods of these classes."""
    pictures = importlib.import_module("labkit.pictures")
    exported = [getattr(pictures, name) for name in vars(pictures) if not name.startswith("_")]
    found = [value for module in documented_modules() for value in vars(module).values()]
    for value in [*exported, *found]:
        here = getattr(value, "__module__", "") or ""
        if (inspect.isfunction(value) or inspect.isclass(value)) and here.startswith(("labkit.", "labs.")):
            if not value.__name__.startswith("_"):
                yield f"{here}.{value.__name__}", value
            if inspect.isclass(value) and here in {module.__name__ for module in documented_modules()}:
                methods = [each for name, each in vars(value).items() if not name.startswith("_")]
                plain = [getattr(each, "__func__", each) for each in methods]
                yield from ((f"{here}.{each.__qualname__}", each) for each in plain if inspect.isfunction(each))


def test_everything_public_has_an_example_that_runs():
    objects = dict(public_objects())
    assert len(objects) > 40 and objects.keys() >= NO_EXAMPLE.keys()
    parser = doctest.DocTestParser()
    without = {name for name, value in objects.items() if not parser.get_examples(inspect.getdoc(value) or "")}
    assert without == NO_EXAMPLE.keys()
    assert not [name for name, value in objects.items() if not inspect.getdoc(value)]


EXAMPLES = python_files("labkit", "labs", "mask_engine")
FILES = [path for path in EXAMPLES if path.name not in ("starter.py", "walkthrough.py")]
WITH_EXAMPLES = [module_name(path) for path in FILES if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.M)]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_true(name):
    said = io.StringIO()
    with redirect_stdout(said):
        failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried and not failed, said.getvalue()


# What no file may say ---------------------------------------------------------------------------------

MACHINE = re.compile(r"(?<![\w.~/-])/(?:home|work|root|Users|mnt|opt|private)/[a-zA-Z]|[A-Z]:\\{1,2}Users\\")
SERVER = re.compile(
    r"https?://(?!github\.com/[\w.-]+/[\w.-]+/blob/)\S*(?:py"
    + r"pi|python"
    + r"hosted|/simple\b|conda|regis"
    + r"try|artif"
    + r"actory)",
    re.I,
)
LEFT_OVER = re.compile(r"#\s*(?:TO" + r"DO(?! \d| \{)|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
SKIPPED = re.compile(r"pytest\.(?:skip\(|importor" + r"skip|xf" + r"ail)|mark\.(?:sk" + r"ip\b|xf" + r"ail)")


def saying(pattern, suffixes=()):
    """Return where a pattern is found: file, and the words."""
    chosen = [(name, pattern.search(text)) for name, text in texts() if not suffixes or name.endswith(suffixes)]
    return [(name, match[0]) for name, match in chosen if match]


REPLACED = re.compile(
    r"\b(?:thoughtless|referees?|programmes?|surroundings|patience|wishes|handed in|the house)\b"
    r"|\bbehind (?:the )?(?:first|last|next|character|token|text|state|EOS)\b"
    r"|(?<!state )\bmachines? (?:over|accepts?|reads?|of the pattern)\b|\bstates? of (?:a|the) machine\b"
    r"|\barrows? (?:for|on|leads?|from state)\b|\b(?:a|the|viable) beginning (?:of a match|that)\b",
    re.I,
)
"""The worst of the words that GLOSSARY.md replaces, in the sense in which it replaces them."""


OWN_WORDS = re.compile(r"GLOSSARY\.md|tests/test_structure\.py|/pictures/|\.svg$|labkit/small_model/tasks/")
"""Files that name these words, or mean something else by them."""


def test_what_no_file_may_say():
    """No machine, package server, or work left to do; no test that is skipped, but for what a system lacks."""
    assert not [*saying(MACHINE), *saying(SERVER), *saying(SKIPPED, (".py",))]
    assert not saying(LEFT_OVER, (".py", ".toml", ".sh", "Makefile", "run"))
    assert not [(name, words) for name, words in saying(REPLACED) if not OWN_WORDS.search(name)]


def test_the_patterns_find_what_they_look_for():
    for pattern, said in [
        (MACHINE, ["see /" + "home/ada/x", "C:\\" + "Users\\ada"]),
        (SERVER, ["https://py" + "pi.org/simple/numpy"]),
        (LEFT_OVER, ["x = 1  # TO" + "DO: more"]),
        (SKIPPED, ["@pytest.mark.sk" + "ip", "pytest.sk" + "ip('no')"]),
        (REPLACED, ["the state behind the token", "the states of a machine", "an arrow leads to state 2"]),
    ]:
        assert all(map(pattern.search, said)), pattern


def test_every_link_between_our_own_files_leads_somewhere():
    broken = []
    for name, text in texts():
        if name.endswith(".md"):
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
                if "://" not in target and not ((ROOT / name).parent / target).exists():
                    broken.append((name, target))
    assert not broken


def test_what_instructors_read_fits_the_labs():
    """The table of times has enough for each lab's TODOs, and it and the notes speak only of TODOs that exist."""
    page = (ROOT / "solutions" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\d) [^|]+\|([^|]+)\|([^|]*)\|$", page, re.MULTILINE)
    for lab, (number, time, short) in zip(all_labs(), rows, strict=True):
        todos = lab_data(lab).todos
        needed = sum(todo.minutes for todo in todos.values())
        assert int(number) == lab.number
        assert needed <= minutes_in(time) <= needed + 45, (lab.label, needed)
        note = (ROOT / "solutions" / f"{lab.name}.md").read_text(encoding="utf-8")
        listed = re.findall(r"TODOs?\s(\d+(?:(?:,\s\d+)*\s(?:and|to)\s\d+)?)", f"{short}\n{note}")
        assert {int(number) for number in re.findall(r"\d+", " ".join(listed))} <= set(todos), lab.label
        assert not short.strip() or minutes_in(short) < minutes_in(time)
