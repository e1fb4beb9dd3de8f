"""Rewriting pages for a handout, so that they speak of what is in it."""

import posixpath
import re
from collections.abc import Collection

from course.student.core.catalog import Lab
from course.teaching.handout.plan import Plan

_LINK = re.compile(r"\[(?P<text>[^\]\n]*(?:\n[^\]\n]*)?)\]\((?P<target>[^)\s]+)\)")
_ANSWER = re.compile(r"\s*An answer stands in \[[^\]]*\]\([^)]*\)\.")
_OTHER_LAB_ROW = re.compile(r"^\| (?:\[(?P<first>\d\d) |\d\d ).*\|\n", re.M)

_COMMANDS = {
    "make demo     # ": {
        "open": "sets everything up, then generates with and without masks; a part may be recorded",
        "closed": "sets everything up, then replays a recorded run, with and without masks",
    },
    "make test     # ": {
        "open": "sets everything up, then tests this copy: its references, its starters, the house",
        "closed": "sets everything up, then tests this copy: its starters and the house",
    },
}
"""What the two commands do in a handout, behind the words that lead to it."""


def root_page(text: str, plan: Plan) -> str:
    """The README of the whole.

    Raises:
        ValueError: if a sentence that has to change is no longer there.
    """
    for command, editions in _COMMANDS.items():
        text = _cut(text, command, "\n", command + editions[plan.edition])
    text = _cut(text, "The first of the two takes", " Without `make`", _TIME)
    text = _cut(text, "(labs 01 to ", ")", f"({named(plan)}")
    text = _drop_rows(text, "| `python -m course bench` |")
    if not {lab.number for lab in plan.labs if plan.shows(lab)} >= _OWN_PROMPT:
        text = _cut(text, " Your own:\n\n    python3 -m course demo", "\n## Start", "\n")
    if plan.edition == "closed":
        text = _cut(text, "| `python -m course diff 01`, `reset 01` |", "\n", _RESET)
        text = _replace(text, "a starter, a reference, tests", "a starter, tests")
        text = _cut(text, "Any lab can be the first:", "\n\n", "Each lab runs on your own files of the earlier labs.")
    text = _OTHER_LAB_ROW.sub(lambda row: row[0] if row["first"] and int(row["first"]) <= plan.upto else "", text)
    return text[: _place(text, "## Also here")] + _about(plan)


_OWN_PROMPT = {4, 6, 7, 8}
"""The labs on whose references the demo of one's own prompt runs."""

_TIME = "The first of the two also sets up\n`.venv`, in a minute or so."
_RESET = "| `python -m course reset 01` | the pristine starter back, yours kept |"


def named(plan: Plan) -> str:
    """The labs of a handout, in words.

    >>> named(Plan("open", 5)), named(Plan("open", 14))
    ('labs 01 to 05', 'labs 01 to 08, and 14')
    """
    numbers = [lab.number for lab in plan.labs]
    row = next((n for n in numbers if n + 1 not in numbers), 1)
    first = "lab 01" if row == 1 else f"labs 01 to {row:02}"
    return ", and ".join([first, *(f"{n:02}" for n in numbers if n > row)])


def makefile(text: str, edition: str) -> str:
    """The Makefile, without what a handout cannot do.

    >>> print(makefile("COMMANDS := demo test check bench status doctor\\nhelp:\\n\\t@echo 'make bench  x'\\n", "open"))
    COMMANDS := demo test status doctor
    help:
    <BLANKLINE>
    """
    text = _replace(text, "COMMANDS := demo test check bench", "COMMANDS := demo test")
    text = text.partition("\ngradescope:\n")[0].replace(".PHONY: help gradescope ", ".PHONY: help ")
    text = re.sub(r"^\t@echo .make (?:check|bench|gradescope)\b.*\n", "", text, flags=re.M)
    tested = _COMMANDS["make test     # "][edition].partition("tests ")[2]
    return re.sub(r"make test    .*\"", f'make test    {tested}"', text)


def _about(plan: Plan) -> str:
    """The last section."""
    labs = named(plan)
    held = "No reference solution is in it."
    if plan.edition == "open" and plan.upto > 1:
        held = f"The references of the labs before {plan.upto:02} are in it, that of lab {plan.upto:02} is not."
    return _ABOUT.format(edition=plan.edition, labs=labs, held=held)


_ABOUT = """\
## This copy

The *{edition}* edition of the course, {labs}, as it was handed out. {held}
The walkthrough notebooks are there to be read, with their outputs in place; run again, they run on your own files where
a reference is missing.

[upstream_notes/](upstream_notes/README.md): where the production engines do the same, by commit and symbol ·
[MIT licence](LICENSE)
"""


def lab_page(text: str, lab: Lab, plan: Plan) -> str:
    """A lab's README: the row of a reference that is not there goes, and a line says so."""
    text = _ANSWER.sub("", text)
    if plan.shows(lab):
        return text
    text = _drop_rows(text, "| `solution.py` |")
    title, _, rest = text.partition("\n")
    kept_back = "This copy holds no reference of this lab."
    if plan.edition == "closed":
        kept_back = "This copy holds no references: where this page speaks of an earlier lab's, your file is meant."
    return f"{title}\n\n*{kept_back}*\n{rest}"


def index_of_notes(text: str, plan: Plan) -> str:
    """The README of the upstream notes, without the rows of labs that are not handed out."""
    rows = re.compile(r"^\| \[lab (?P<number>\d\d),.*\|\n", re.M)
    return rows.sub(lambda row: row[0] if int(row["number"]) <= plan.upto else "", text)


def without_dead_links(text: str, page: str, files: Collection[str]) -> str:
    """Links of a page to files that are not handed out become plain words.

    >>> without_dead_links("[lab 09](../lab_09/README.md) and [the web](https://example.org)", "labs/a/README.md", [])
    'lab 09 and [the web](https://example.org)'
    """
    return _LINK.sub(lambda link: link[0] if _leads(link["target"], page, files) else link["text"], text)


def dead_links(text: str, page: str, files: Collection[str]) -> list[str]:
    """The links of a page that lead nowhere."""
    return [link["target"] for link in _LINK.finditer(text) if not _leads(link["target"], page, files)]


def _leads(target: str, page: str, files: Collection[str]) -> bool:
    path = target.partition("#")[0]
    if "://" in path or not path:
        return True
    full = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    return full in files or any(name.startswith(f"{full}/") for name in files)


def _replace(text: str, old: str, new: str) -> str:
    place = _place(text, old)
    return text[:place] + new + text[place + len(old) :]


def _cut(text: str, begin: str, end: str, new: str) -> str:
    """The text with what stands from ``begin`` to ``end`` replaced."""
    place = _place(text, begin)
    return text[:place] + new + text[text.index(end, place) :]


def _drop_rows(text: str, begin: str) -> str:
    """A table without its row that begins like this."""
    place = _place(text, begin)
    return text[:place] + text[text.index("\n", place) + 1 :]


def _place(text: str, words: str) -> int:
    place = text.find(words)
    if place < 0:
        raise ValueError(
            f"a page that is handed out no longer says {words!r}; course/teaching/handout/words.py must follow it"
        )
    return place
