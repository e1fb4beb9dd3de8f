"""``python3 -m course bench official CHECKOUT``: JSON Schema's own tests for draft 2020-12, keyword by keyword.

The suite (json-schema-org/JSON-Schema-Test-Suite) has schemas, each with values and whether they are valid. Nothing of
it is in this repository: the command reads a checkout, or a file of JSON lines with the fields of ``Case``.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

from course.showcase.bench.adapters import our_reading
from course.showcase.measuring import plain_table
from labkit.errors import CourseError
from labkit.reading import Reading
from mask_engine import compile_json_schema

DRAFT = "draft2020-12"

ASSERTING = "optional/format/"
"""The tests in which a validator checks formats; in all others a ``format`` is a mere note."""

COLUMNS = ("right", "invalid accepted", "valid refused", "schemas refused")


class Case(NamedTuple):
    """A schema with its tests, and the file of the suite that they are from, which is named after a keyword."""

    file: str
    description: str
    schema: Any
    tests: list[dict[str, Any]]


def run_official(console: Console, suite: Path, reading: str) -> int:
    """Print the table, each wrong verdict and each refusal; return 1 if something invalid was accepted.

    Raises:
        ValueError: if there are no tests, or there is no such reading.
    """
    read_as = our_reading(reading)
    table, remarks, total = (
        plain_table("", *[column.replace(" ", "\n") for column in COLUMNS]),
        list[str](),
        Counter[str](),
    )
    by_file: dict[str, Counter[str]] = {}
    for case in cases(suite):
        counts = by_file.setdefault(case.file, Counter())
        for verdict, remark in verdicts(case, read_as):
            counts[verdict] += 1
            remarks += [f"{verdict}: {case.file}, {case.description}, {remark}"] * (verdict != "right")
    for file, counts in sorted(by_file.items()):
        table.add_row(Text(file), *[f"{counts[column]:,}" for column in COLUMNS])
        total += counts
    table.add_row("all", *[f"{total[column]:,}" for column in COLUMNS])
    console.print("\n".join(remarks), markup=False, highlight=False, soft_wrap=True)
    console.print(table)
    return int(total["invalid accepted"] > 0)


def verdicts(case: Case, reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield for each test of a schema one of ``COLUMNS`` with its description, or one refusal of the schema.

    >>> tests = [{"description": "a text", "data": "a", "valid": True}, {"description": "1", "data": 1, "valid": False}]
    >>> [*verdicts(Case("type", "texts", {"type": "string"}, tests), Reading())]
    [('right', 'a text'), ('right', '1')]
    """
    reading = replace(reading, formats=True if case.file.startswith(ASSERTING) else None)
    try:
        fullmatch = compile_json_schema(case.schema, reading=reading).fullmatch
    except CourseError as error:
        yield "schemas refused", str(error)
        return
    for test in case.tests:
        taken = fullmatch(json.dumps(test["data"], ensure_ascii=False))
        wrong = "invalid accepted" if taken else "valid refused"
        yield "right" if taken == test["valid"] else wrong, test["description"]


def cases(suite: Path) -> Iterator[Case]:
    """Yield the schemas of a checkout, of its folder for the draft, or of a file of JSON lines.

    Raises:
        ValueError: if there are none.
    """
    if suite.is_file():
        with (gzip.open if suite.suffix == ".gz" else open)(suite, "rt", encoding="utf-8") as lines:
            for line in lines:
                found = json.loads(line)
                yield Case(found["file"].removesuffix(".json"), *(found[name] for name in Case._fields[1:]))
        return
    folder = suite / "tests" / DRAFT if (suite / "tests" / DRAFT).is_dir() else suite
    files = sorted(folder.rglob("*.json"))
    if not files or folder.name != DRAFT:
        raise ValueError(f"{suite} has no tests: give a clone of json-schema-org/JSON-Schema-Test-Suite")
    for file in files:
        for found in json.loads(file.read_text(encoding="utf-8")):
            name = file.relative_to(folder).with_suffix("").as_posix()
            yield Case(name, *(found[field] for field in Case._fields[1:]))
