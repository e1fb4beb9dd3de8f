"""The audit's page says what the records say that lie beside the notes, and no more."""

import json
import lzma
import re
from functools import cache
from pathlib import Path

import pytest

from course.showcase.audit.tables import CHECKED, markdown, tables

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book/pages/audit.md").read_text(encoding="utf-8")
TABLES = re.findall(r"^\| (?:schemas|texts|(?:suite|patterns): .*?) \|.*\n\|(?:---\|)+\n(?:\|.*\n)+", PAGE, re.M)


def source_of(file):
    """MaskBench's schemas are files, and JSON Schema's tests have a number in theirs; a pattern is its own name."""
    return "schemas" if file.endswith(".json") else "suite" if re.search(r"^[\w/-]+#\d+$", file) else "patterns"


@cache
def records():
    with lzma.open(ROOT / "upstream_notes/audit.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_each_row_is_what_the_records_say(table):
    """A table is about the schemas that all of its engines were asked about."""
    head, _, *rows = table.splitlines()
    what, *engines = [cell.strip() for cell in head.split("|")[1:-1]]
    asked = [{e["file"] for e in records() if e["engine"] == name and e["kind"] == CHECKED} for name in engines]
    source = what.partition(":")[0].replace("texts", "schemas")
    common = {file for file in set.intersection(*asked) if source_of(file) == source}
    held = [each for each in records() if each["file"] in common]
    expected = {row for counts in tables(held, engines) for row in markdown(counts, engines)}
    assert not [row for row in rows if row not in expected]


def test_every_finding_has_an_engine_a_version_and_an_oracle():
    found = [each for each in records() if each["kind"] != CHECKED]
    assert len(TABLES) >= 2 and found
    assert all(each["engine"] and each["version"] and each["oracle"] and each["keyword"] for each in found)
