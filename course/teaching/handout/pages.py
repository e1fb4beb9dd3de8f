"""Pages as they are handed out: without what speaks of files that stay behind.

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

from course.student.core.catalog import Lab
from course.teaching.handout.plan import Plan

_LINK = re.compile(r"\[(?P<text>[^\]\n]*(?:\n[^\]\n]*)?)\]\((?P<target>[^)\s]+)\)")
_REGION = re.compile(r"^(?:<!--|#) needs (?P<file>\S+)(?: -->)?\n(?P<text>.*?)^(?:<!-- end -->|# end)\n", re.M | re.S)
_LINE = re.compile(r"^(?P<before>.*\S.*?) ?<!-- needs (?P<file>\S+) -->(?P<after>.*\n)", re.M)
_INSTEAD = re.compile(r"<!-- without (?P<file>\S+): (?P<text>.*?) -->", re.S)
_FIRST_CELL = re.compile(r"^\| (?:\[[^\]]*\]\((?P<link>[^)#]+)[^|]*\)|`(?P<name>[\w./]+\.\w+)`) .*\n", re.M)
_ANSWER = re.compile(r"\s*An answer stands in \[[^\]]*\]\([^)]*\)\.")


def page(name: str, text: str, plan: Plan, files: Collection[str]) -> str:
    """Return a page as a handout of these files has it: no marks, no rows about missing files, no dead links."""
    text = marked(text, files)
    lab = next((lab for lab in plan.withheld if name == f"{lab.path}/README.md"), None)
    text = _with_notice(text, lab, plan) if lab else text
    text = _FIRST_CELL.sub(lambda row: row[0] if _leads(row["link"] or row["name"], name, files) else "", text)
    return without_dead_links(_ANSWER.sub("", text), name, files) + (_about(plan) if name == "README.md" else "")


def marked(text: str, files: Collection[str]) -> str:
    """Return a text with its marks resolved for these files.

    >>> text = "a\\n# needs x.py\\nb\\n# end\\n| c <!-- needs y.py --> |\\n<!-- without x.py: d -->\\n"
    >>> marked(text, ["x.py"]), marked(text, ["y.py"])
    ('a\\nb\\n\\n', 'a\\n| c |\\nd\\n')
    """
    text = _REGION.sub(lambda mark: mark["text"] if _leads(mark["file"], "", files) else "", text)
    text = _LINE.sub(lambda mark: mark["before"] + mark["after"] if _leads(mark["file"], "", files) else "", text)
    return _INSTEAD.sub(lambda mark: "" if _leads(mark["file"], "", files) else mark["text"], text)


def named(plan: Plan) -> str:
    """Return the labs of a handout in words.

    >>> named(Plan("open", 5)), named(Plan("open", 14))
    ('labs 01 to 05', 'labs 01 to 08, and 14')
    """
    numbers = [lab.number for lab in plan.labs]
    row = next((n for n in numbers if n + 1 not in numbers), 1)
    first = "lab 01" if row == 1 else f"labs 01 to {row:02}"
    return ", and ".join([first, *(f"{n:02}" for n in numbers if n > row)])


def without_dead_links(text: str, name: str, files: Collection[str]) -> str:
    """Return a page whose links to files that are not handed out have become plain words.

    >>> without_dead_links("[lab 09](../lab_09/README.md) and [the web](https://example.org)", "labs/a/README.md", [])
    'lab 09 and [the web](https://example.org)'
    """
    return _LINK.sub(lambda link: link[0] if _leads(link["target"], name, files) else link["text"], text)


def _leads(target: str, name: str, files: Collection[str]) -> bool:
    """Return whether a link of a page leads somewhere: to the web, within the page, to a file or a folder."""
    path = target.partition("#")[0]
    if "://" in path or not path:
        return True
    full = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    return full in files or any(file.startswith(f"{full}/") for file in files)


def _with_notice(text: str, lab: Lab, plan: Plan) -> str:
    """Return a lab's page with a line after its title that says that the reference is not there."""
    title, _, rest = text.partition("\n")
    notice = "This copy holds no reference of this lab."
    if plan.edition == "closed":
        notice = "This copy holds no references. Where this page speaks of an earlier lab's reference, read: your file."
    return f"{title}\n\n*{notice}*\n{rest}"


def _about(plan: Plan) -> str:
    held = "It holds no reference solution."
    if plan.edition == "open" and plan.upto > 1:
        held = f"It holds the references of the labs before {plan.upto:02}, and not that of lab {plan.upto:02}."
    return (
        f"\n## This copy\n\nThe *{plan.edition}* edition of the course, {named(plan)}, as it was handed out. {held}\n"
        "The walkthrough notebooks are there to be read, with their outputs in place. Where a reference is missing,\n"
        "they run on your own file.\n"
    )
