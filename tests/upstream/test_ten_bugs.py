"""The snippets of the note on ten bugs, run as the page has them on the engines that are installed."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

import pytest

from course.student.core.catalog import ROOT

NOTE = (ROOT / "upstream_notes" / "ten_bugs.md").read_text(encoding="utf-8")
BLOCK = r"```python\n(.*?)```\n"
HELPERS = re.findall(BLOCK, NOTE.partition("\n### ")[0], re.S)[0]
BUGS = re.findall(rf"^### (\d+\. [^\n]*) \((\S+) (\S+)\)\n\n{BLOCK}```text\n(.*?)```\n", NOTE, re.M | re.S)
OURS = re.findall(rf"{BLOCK}```text\n(.*?)```\n", NOTE.partition("\n## Three of ours")[2], re.S)
ANY_VERSION = os.environ.get("TEN_BUGS") == "any version"
"""With ``TEN_BUGS="any version"``, whatever is installed is run: so you find out what a new release mends."""


def run(code):
    """Return what a snippet prints, or how it fails."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout if done.returncode == 0 else done.stderr[-2000:]


def lacking(package, wanted):
    """Return why a snippet can't be run here; empty if it can."""
    found = installed(package)
    if not found:
        return f"{package} isn't installed; python -m pip install {package}=={wanted}"
    if found != wanted and not ANY_VERSION:
        return f'the page is about {package} {wanted}, and {found} is here; TEN_BUGS="any version" runs it anyway'
    return ""


def installed(package):
    """Return the version of a package, or None."""
    with suppress(PackageNotFoundError):
        return version(package)
    return None


def test_the_page_has_ten_bugs_in_four_engines():
    assert [title.partition(".")[0] for title, *_ in BUGS] == [str(n) for n in range(1, 11)]
    assert len({package for _, package, *_ in BUGS}) == 4 and len(OURS) == 2


def cases():
    for title, package, wanted, code, printed in BUGS:
        why = lacking(package, wanted)
        yield pytest.param(title, package, code, printed, id=title, marks=pytest.mark.skipif(bool(why), reason=why))


@pytest.mark.parametrize(("title", "package", "code", "printed"), list(cases()))
def test_a_bug_is_still_there(title, package, code, printed):
    now, release = run(HELPERS + code), installed(package)
    assert now == printed, f"{title}: mended in this version: update the page ({package} {release} prints {now!r})"


@pytest.mark.parametrize(("code", "printed"), OURS, ids=["a row", "shared levels"])
def test_what_we_say_of_ours(code, printed):
    assert run(code) == printed


SCHEMAS = [(title, code) for title, _, _, code, _ in BUGS if "by_" in code]


@pytest.mark.parametrize(("title", "code"), SCHEMAS, ids=[title for title, _ in SCHEMAS])
def test_the_courses_engine_agrees_with_the_oracle(title, code):
    """It gets each schema's texts in place of the engine, and says what the validator says."""
    asked = [re.sub(r"\bby_\w+\(", f"{name}(", code) for name in ("by_course", "valid")]
    by_course = "def by_course(schema, text):\n    return compile_json_schema(schema).fullmatch(text)\n"
    said = run("\n".join(["from mask_engine import compile_json_schema", HELPERS, by_course, *asked])).splitlines()
    assert len(said) == 2 and said[0] == said[1], f"{title}: {said}"
