"""The files of a handout, as bytes by their paths: taken from the course, made anew, or rewritten.

A page marks what depends on a file of the repository. In a handout that lacks the file, a marked line or region goes,
and the text that stands for it comes:

    | `make check` | run everything <!-- needs course/upkeep --> |
    <!-- needs solutions -->
    Instructors: see solutions/README.md.
    <!-- end -->
    <!-- without solutions: Ask your instructor. -->

In a Makefile the same marks are comments (``# needs course/upkeep``, ``# end``).
"""

import posixpath
import re
from collections.abc import Collection
from pathlib import Path

from course.student.commands import practice
from course.student.core.catalog import ROOT, TABLE
from course.student.core.starters import generate_starter, pristine_file
from course.teaching.handout.plan import Handout, files_of_the_course

_LINK = re.compile(r"\[(?P<text>[^\]\n]*(?:\n[^\]\n]*)?)\]\((?P<target>[^)\s]+)\)")
_REGION = re.compile(r"^(?:<!--|#) needs (?P<file>\S+)(?: -->)?\n(?P<text>.*?)^(?:<!-- end -->|# end)\n", re.M | re.S)
_LINE = re.compile(r"^(?P<before>.*\S.*?) ?<!-- needs (?P<file>\S+) -->(?P<after>.*\n)", re.M)
_INSTEAD = re.compile(r"<!-- without (?P<file>\S+): (?P<text>.*?) -->", re.S)
_FIRST_CELL = re.compile(r"^\| (?:\[[^\]]*\]\((?P<link>[^)#]+)[^|]*\)|`(?P<name>[\w./]+\.\w+)`) .*\n", re.M)
_ANSWER = re.compile(r"\s*An\s+answer\s+is\s+in\s+\[[^\]]*\]\([^)]*\)\.")


def contents(plan: Handout, recording: str) -> dict[str, bytes]:
    """Return every file of the handout; ``recording`` is the text of ``course/showcase/demo/recorded.json``."""
    files = {name: (ROOT / name).read_bytes() for name in files_of_the_course() if plan.holds(name)}
    made = {
        "pyproject.toml": settings((ROOT / "pyproject.toml").read_text(encoding="utf-8"), plan),
        "course/showcase/demo/recorded.json": recording,
        "tests/test_this_copy.py": Path(__file__).with_name("this_copy.py.txt").read_text(encoding="utf-8"),
    }
    for lab in plan.labs:
        made[f"{lab.path}/starter.py"] = generate_starter(lab)  # never the file that somebody has worked in
        made[f"{lab.path}/practice.ipynb"] = practice.as_text(lab)
        if not plan.shows(lab):
            made[pristine_file(lab, Path()).as_posix()] = generate_starter(lab)
    files |= {name: text.encode() for name, text in made.items()}
    for name in files:
        if name.endswith(".md"):
            files[name] = page(name, files[name].decode("utf-8"), plan, files).encode()
    return {**files, "Makefile": marked(files["Makefile"].decode("utf-8"), files).encode()}


def settings(text: str, plan: Handout) -> str:
    """Return ``pyproject.toml`` for a handout: the starters are graded, and the edition is named.

    >>> print(settings("[tool.pytest.ini_options]\\nmarkers = []\\n", Handout("closed", 5)))
    [tool.mask-the-logits]
    edition = "closed"
    upto = 5
    <BLANKLINE>
    [tool.pytest.ini_options]
    lab_impl = "starter"
    lab_chain = "mine"
    markers = []
    <BLANKLINE>
    """
    heading = "[tool.pytest.ini_options]\n"
    if heading not in text:
        raise ValueError(f"pyproject.toml has no {heading.strip()}")
    table = f'[tool.{TABLE}]\nedition = "{plan.edition}"\nupto = {plan.upto}\n\n'
    chain = 'lab_chain = "mine"\n' * (plan.edition == "closed")
    return text.replace(heading, f'{table}{heading}lab_impl = "starter"\n{chain}')


def page(name: str, text: str, plan: Handout, files: Collection[str]) -> str:
    """Return a page as a handout of these files has it: no marks, no rows about missing files, no dead links.

    >>> page("a/b.md", "[lab 09](../lab_09/README.md), [the web](https://example.org)", Handout("open", 5), [])
    'lab 09, [the web](https://example.org)'
    """
    text = marked(text, files)
    if name in {f"{lab.path}/README.md" for lab in plan.labs if not plan.shows(lab)}:
        notice = "This copy holds no reference of this lab."
        if plan.edition == "closed":
            notice = (
                "This copy holds no references. Where this page speaks of an earlier lab's reference, read: your file."
            )
        text = text.replace("\n", f"\n\n*{notice}*\n", 1)
    text = _FIRST_CELL.sub(lambda row: row[0] if _leads(row["link"] or row["name"], name, files) else "", text)
    text = _ANSWER.sub("", text)
    text = _LINK.sub(lambda link: link[0] if _leads(link["target"], name, files) else link["text"], text)
    if name != "README.md":
        return text
    held = "It holds no reference solution."
    if plan.edition == "open" and plan.upto > 1:
        held = f"It holds the references of the labs before {plan.upto:02}, and not that of lab {plan.upto:02}."
    return f"""{text}
## This copy

The *{plan.edition}* edition of the course, {named(plan)}, as it was handed out. {held}
The walkthrough notebooks are there to be read, with their outputs in place. Where a reference is missing,
they run on your own file.
"""


def marked(text: str, files: Collection[str]) -> str:
    """Return a text with its marks resolved for these files.

    >>> text = "a\\n# needs x.py\\nb\\n# end\\n| c <!-- needs y.py --> |\\n<!-- without x.py: d -->\\n"
    >>> marked(text, ["x.py"]), marked(text, ["y.py"])
    ('a\\nb\\n\\n', 'a\\n| c |\\nd\\n')
    """
    text = _REGION.sub(lambda mark: mark["text"] if _leads(mark["file"], "", files) else "", text)
    text = _LINE.sub(lambda mark: mark["before"] + mark["after"] if _leads(mark["file"], "", files) else "", text)
    return _INSTEAD.sub(lambda mark: "" if _leads(mark["file"], "", files) else mark["text"], text)


def _leads(target: str, name: str, files: Collection[str]) -> bool:
    """Return whether a link of a page leads somewhere: to the web, within the page, to a file or a folder."""
    path = target.partition("#")[0]
    if "://" in path or not path:
        return True
    full = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    return full in files or any(file.startswith(f"{full}/") for file in files)


def named(plan: Handout) -> str:
    """Return the labs of a handout in words.

    >>> named(Handout("open", 5)), named(Handout("open", 1))
    ('labs 01 to 05', 'lab 01')
    """
    return f"labs 01 to {plan.upto:02}" if plan.upto > 1 else "lab 01"
