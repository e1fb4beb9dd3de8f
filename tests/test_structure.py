"""What holds for the whole repository: imports, sizes, examples, and what no file may say."""

import ast
import doctest
import importlib
import importlib.util
import inspect
import io
import re
import statistics
import subprocess
import sys
from contextlib import redirect_stdout

import pytest

from course.student.core.catalog import ROOT, all_labs

LABS = pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
FLOORS = ("labkit", "labs", "course", "bridges")
SOLUTIONS = [lab.solution for lab in all_labs()]
OF_THE_REFERENCE = ("solution.py", "walkthrough.py", "scene.py", "pictures.py", "bench.py")
"""Files of a lab that may import its own solution and given code."""


def tracked():
    """The files of the repository; without git, every file but what a run leaves behind."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    left_behind = {".venv", "__pycache__", ".course", "out", ".hypothesis"}
    files = [path for path in ROOT.rglob("*") if path.is_file()]
    return [path for path in files if not left_behind & set(path.relative_to(ROOT).parts) and "_cache" not in str(path)]


def texts():
    """Every tracked text file with what it says."""
    for path in tracked():
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def python_files(*folders):
    """Return the Python files of these folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(path):
    """The full names of everything that a file imports, wherever in it: modules, and names out of modules."""
    package = ".".join(path.relative_to(ROOT).with_suffix("").parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                module = importlib.util.resolve_name("." * node.level + module, package)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def own_imports(path):
    """Return those that are the repository's own."""
    return [name for name in imports(path) if name.partition(".")[0] in (*FLOORS, "tests", "solutions")]


# Floors -----------------------------------------------------------------------------------------------


def test_labkit_knows_no_lab_and_no_course():
    files = python_files("labkit")
    wrong = [(path.name, name) for path in files for name in own_imports(path) if not name.startswith("labkit")]
    assert len(files) > 5 and not wrong


@LABS
def test_a_lab_imports_labkit_and_the_solutions_of_earlier_labs(lab):
    earlier = tuple(f"labs.{other.name}.solution" for other in all_labs() if other.number < lab.number)
    earlier += tuple(f"labs.{other.name}.solution." for other in all_labs() if other.number < lab.number)
    own = f"labs.{lab.name}."
    for path in python_files(lab.path):
        if path.name == "starter.py":
            continue  # it may be a student's
        given = "given" in path.relative_to(lab.folder).parts or path.name in OF_THE_REFERENCE
        tour = ("labs.assembled.",) if path.name == "walkthrough.py" and lab.number >= 7 else ()  # where it is ready
        from_given = tuple(f"labs.{other.name}.given." for other in all_labs() if other.number < lab.number)
        theirs = from_given if "given" in path.relative_to(lab.folder).parts else ()
        for name in own_imports(path):
            good = name.startswith(("labkit.", *earlier, *tour, *theirs)) or (given and name.startswith(own))
            assert good, f"{path.name} imports {name}"


@LABS
def test_a_labs_tests_import_neither_solution_nor_starter_nor_course(lab):
    assert not [name for name in own_imports(lab.folder / "test_lab.py") if not name.startswith("labkit.")]


def test_the_bridges_import_labs_and_labkit_and_nothing_imports_them_but_the_courses_command():
    """What is made for engineers' libraries stays where it can be left out."""
    below = ("labkit.", "labs.", "bridges.")
    assert not [name for path in python_files("bridges") for name in own_imports(path) if not name.startswith(below)]
    users = {
        path.relative_to(ROOT).as_posix()
        for path in python_files("labkit", "labs", "course")
        for name in own_imports(path)
        if name.startswith("bridges")
    }
    assert users == {"course/showcase/cli.py"}


def test_the_course_imports_no_tests_and_no_bank():
    assert not [
        (path.name, name)
        for path in python_files("course")
        for name in own_imports(path)
        if not name.startswith(FLOORS)
    ]


def test_the_walk_over_imports_sees_every_form(tmp_path, monkeypatch):
    """A check that finds nothing must be able to find something."""
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "labs" / "lab_02_x" / "solution.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "import course.cli\ndef f():\n    from ..lab_09_y import solution\n    from tests import runs as r\n"
    )
    assert own_imports(path) == ["course.cli", "labs.lab_09_y.solution", "tests.runs"]


# Sizes ------------------------------------------------------------------------------------------------


def lengths():
    """For each function: the lines from its first statement to its last, its docstring not counted.

    Blank lines and comments in between count; signature and decorators do not. A nested function is
    counted by itself, and again as part of the function around it.
    """
    for path in [*python_files("labkit", "course", "bridges"), *SOLUTIONS]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = node.body[ast.get_docstring(node) is not None :]
                lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                yield lines, f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


def test_functions_are_short():
    counted = sorted(lengths())
    assert statistics.median(lines for lines, _ in counted) <= 10
    assert counted[-1][0] <= 40, f"{counted[-1][1]} has {counted[-1][0]} lines"


# Examples ---------------------------------------------------------------------------------------------

NO_EXAMPLE = {
    "labkit.errors.InvalidPattern": "PatternError has it",
    "labkit.errors.UnsupportedPattern": "PatternError has it",
    "labkit.errors.InvalidSchema": "SchemaError has it",
    "labkit.errors.UnsupportedSchema": "SchemaError has it",
    "labkit.vocabulary.Vocabulary.tekken": "reading it takes a second",
    "labkit.pictures.steps.Step": "steps_svg shows some",
    "labs.lab_07_bytes_and_vocabularies.given.token_states.TokenStates": "TokenFSM, which stands on it, has one",
}


def documented_modules():
    """The modules whose names people use: labkit's, and the solutions. The parts of the renderer are its own affair."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder in ("", "automata", "checking")
        for path in (ROOT / "labkit" / folder).glob("*.py")
        if path.stem != "__init__"
    ]
    names += [f"labs.{lab.name}.solution" for lab in all_labs()]
    return [importlib.import_module(name) for name in sorted(names)]


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


@pytest.mark.parametrize("module", documented_modules(), ids=lambda module: module.__name__)
def test_examples_are_true(module):
    said = io.StringIO()
    with redirect_stdout(said):
        failed, _ = doctest.testmod(module)
    assert not failed, said.getvalue()


# What no file may say ---------------------------------------------------------------------------------

MACHINE = re.compile(r"(?<![\w.~/-])/(?:home|work|root|Users|mnt|opt|private)/[a-zA-Z]|[A-Z]:\\{1,2}Users\\")
SERVER = re.compile(
    r"https?://\S*(?:py" + r"pi|python" + r"hosted|/simple\b|conda|regis" + r"try|artif" + r"actory)", re.I
)
LEFT_OVER = re.compile(r"#\s*(?:TO" + r"DO(?! \d| \{)|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
SKIPPED = re.compile(r"pytest\.(?:skip\(|importor" + r"skip|xf" + r"ail)|mark\.(?:sk" + r"ip\b|xf" + r"ail)")


def saying(pattern, suffixes=()):
    """Return where a pattern is found: file, and the words."""
    return [
        (name, match[0])
        for name, text in texts()
        if not suffixes or name.endswith(suffixes)
        for match in [pattern.search(text)]
        if match
    ]


def test_no_file_knows_the_machine_that_it_was_made_on():
    assert not saying(MACHINE)


def test_no_file_names_a_package_server():
    assert not saying(SERVER)


def test_nothing_is_left_to_be_done_in_the_code():
    assert not saying(LEFT_OVER, (".py", ".toml", ".sh", "Makefile", "run"))


def test_no_test_is_skipped_or_expected_to_fail():
    """What one operating system lacks may be left out there: skipif, with its reason."""
    assert not saying(SKIPPED, (".py",))


REPLACED = re.compile(
    r"\b(?:thoughtless|referees?|programmes?|surroundings|patience|wishes|handed in|the house)\b"
    r"|\bbehind (?:the )?(?:first|last|next|character|token|text|state|EOS)\b"
    r"|(?<!state )\bmachines? (?:over|accepts?|reads?|of the pattern)\b|\bstates? of (?:a|the) machine\b"
    r"|\barrows? (?:for|on|leads?|from state)\b|\b(?:a|the|viable) beginning (?:of a match|that)\b",
    re.I,
)
"""The worst of the words that GLOSSARY.md replaces, in the sense in which it replaces them."""


def test_one_word_for_one_thing():
    own = re.compile(r"GLOSSARY\.md|tests/test_structure\.py|/pictures/|\.svg$|labkit/small_model/tasks/")
    assert not [(name, words) for name, words in saying(REPLACED) if not own.search(name)]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (MACHINE, "see /" + "home/ada/x"),
        (MACHINE, "C:\\" + "Users\\ada"),
        (SERVER, "https://py" + "pi.org/simple/numpy"),
        (LEFT_OVER, "x = 1  # TO" + "DO: more"),
        (SKIPPED, "@pytest.mark.sk" + "ip"),
        (SKIPPED, "pytest.sk" + "ip('no')"),
        (REPLACED, "the state behind the token"),
        (REPLACED, "the states of a machine"),
        (REPLACED, "an arrow leads to state 2"),
    ],
)
def test_the_patterns_find_what_they_look_for(pattern, text):
    assert pattern.search(text)


def test_every_link_between_our_own_files_leads_somewhere():
    broken = []
    for name, text in texts():
        if name.endswith(".md"):
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
                if "://" not in target and not ((ROOT / name).parent / target).exists():
                    broken.append((name, target))
    assert not broken
