"""JSON Schema's own tests: the two shapes in which they come, the table, and what fails the run."""

import gzip
import io
import json
import re

import pytest
from rich.console import Console

from course.showcase.bench.official import cases, run_official

GROUPS = {
    "minimum": [("bounds", {"minimum": 1}, [(1, True), (0, False), ("a", True)])],
    "format": [("a note", {"format": "date"}, [("x", True)])],
    "optional/format/date": [("a demand", {"format": "date"}, [("2024-02-29", True), ("x", False), (1, True)])],
    "optional/format/regex": [("refused", {"format": "regex"}, [("(", False)])],
    "optional/format/time": [("leap seconds", {"format": "time"}, [("23:59:60Z", True)])],
    "type": [("wrong on purpose", {"type": "null"}, [(None, False)])],
}
"""By file: a description, a schema, and values with the suite's verdict."""


@pytest.fixture(params=["a checkout", "lines"])
def suite(request, tmp_path):
    """Return the same suite as a checkout and as a file of lines."""
    groups = {
        file: [
            {"description": description, "schema": schema, "tests": [
                {"description": f"case {data}", "data": data, "valid": valid} for data, valid in tests]}
            for description, schema, tests in found
        ]
        for file, found in GROUPS.items()
    }  # fmt: skip
    if request.param == "lines":
        with gzip.open(tmp_path / "suite.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps({"file": f"{f}.json"} | group) + "\n" for f in groups for group in groups[f])
        return tmp_path / "suite.jsonl.gz"
    for file, found in groups.items():
        path = tmp_path / "tests" / "draft2020-12" / f"{file}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found), encoding="utf-8")
    return tmp_path


def printed(suite, reading):
    out = io.StringIO()
    code = run_official(Console(file=out, width=120), suite, reading)
    return code, out.getvalue()


def test_the_table_by_keyword(suite):
    """Right, invalid accepted, valid refused, schemas refused; formats are demands in a folder of their own."""
    code, text = printed(suite, "validator")
    rows = {
        row[1]: [int(cell) for cell in row[2].split()] for row in re.finditer(r"^(\S+) +((?:\d+ *){4})$", text, re.M)
    }
    assert rows == {
        "format": [1, 0, 0, 0],
        "minimum": [3, 0, 0, 0],
        "optional/format/date": [3, 0, 0, 0],
        "optional/format/regex": [0, 0, 0, 1],
        "optional/format/time": [0, 0, 1, 0],
        "type": [0, 1, 0, 0],
        "all": [7, 1, 1, 1],
    }
    assert "valid refused: optional/format/time, leap seconds, case 23:59:60Z" in text
    assert "schemas refused: optional/format/regex, refused, the format 'regex' is not supported" in text
    assert code == 1, "something invalid was accepted"


def test_another_folder_is_refused(tmp_path):
    (tmp_path / "package.json").write_text("{}")
    with pytest.raises(ValueError, match="has no tests: give a clone of json-schema-org/JSON-Schema-Test-Suite"):
        list(cases(tmp_path))
