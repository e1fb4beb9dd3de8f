"""What an audit found, as tables for the terminal and as a page: by engine, by keyword, and an example of each."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from course.showcase.audit.asking import KINDS, REFUSED, SLOW, gist
from course.showcase.audit.engines import AUDITED
from course.showcase.measuring import plain_table
from course.showcase.runs import Record

CHECKED = "checked"
"""The kind of a record that ends those of one schema and engine: it counts what is no finding."""

MOST_ROWS, WIDE = 40, 160
"""Rows of a table by keyword, and characters of an example that a page shows."""


class Counts(NamedTuple):
    """A table: its title, what its first column has, and each row's name with a count for each engine."""

    title: str
    what: str
    rows: list[tuple[str, list[int]]]


def tables(records: Sequence[Record], engines: Sequence[str]) -> Iterator[Counts]:
    """Yield the tables: what was found; choices and what isn't settled; refusals; and findings by keyword.

    >>> found = [{"file": "a", "engine": "e", "kind": "refused", "keyword": "not", "message": "no"},
    ...          {"file": "a", "engine": "e", "kind": "checked", "counts": {"policy: order": 2, "right": 5}}]
    >>> [(table.title, table.rows[:2]) for table in tables(found, ["e"])][:3]  # doctest: +NORMALIZE_WHITESPACE
    [('Schemas', [('asked about', [1]), ('refused', [1])]),
     ('Choices, and what is not settled', [('policy: order', [2])]), ('Refused', [('not', [1])])]
    """
    of = {name: [record for record in records if record["engine"] == name] for name in engines}
    kinds = {name: Counter(kind for _, kind in {(e["file"], e["kind"]) for e in of[name]}) for name in engines}
    rows = [("asked about", [kinds[name][CHECKED] for name in engines])]
    yield Counts("Schemas", "schemas", rows + [(kind, [kinds[name][kind] for name in engines]) for kind in KINDS])
    texts = {name: Counter[str]() for name in engines}
    for name in engines:
        for each in of[name]:
            texts[name].update(each.get("counts", {}))
    named = sorted({what for counts in texts.values() for what in counts} - {"right"})
    yield Counts(
        "Choices, and what is not settled", "texts", [(what, [texts[name][what] for name in engines]) for what in named]
    )
    parts = {"Refused": {REFUSED}, "No end in time": {SLOW}, "Found, by keyword": {*KINDS} - {REFUSED, SLOW}}
    for title, which in parts.items():
        pairs = {
            name: Counter(what for _, what in {(e["file"], cause(e)) for e in of[name] if e["kind"] in which})
            for name in engines
        }
        total = sum(pairs.values(), Counter[str]())
        most = sorted(total, key=lambda what: (-total[what], what))[:MOST_ROWS]
        if most:
            yield Counts(title, "schemas", [(what, [pairs[name][what] for name in engines]) for what in most])


def cause(record: Record) -> str:
    """Return what a finding is put down to: a keyword, or the message if nothing could be made small.

    >>> cause({"kind": "refused", "keyword": "a, b", "message": "too large, at /items"})
    'too large, at .'
    >>> cause({"kind": "keyword dropped", "keyword": "minimum", "message": ""})
    'keyword dropped: minimum'
    """
    if record["kind"] not in (REFUSED, SLOW):
        return f"{record['kind']}: {record['keyword']}"
    several = ", " in record["keyword"]
    return gist(record["message"])[:70] if several else str(record["keyword"])


def show(console: Console, records: Sequence[Record]) -> None:
    """Print the tables of all engines that the records are of."""
    engines = _engines(records)
    console.print(f"\n[bold]Audit[/], {len({record['file'] for record in records}):,} schemas", highlight=False)
    for counts in tables(records, engines):
        table = plain_table(counts.title, *(name.replace(", ", ",\n").replace("-", "-\n") for name in engines))
        for name, row in counts.rows:
            table.add_row(name[:60], *(f"{count:,}" for count in row))
        console.print()
        console.print(table)
    console.print("\nChoices, what isn't settled, and what was found again count texts. None is an error.")


def write_page(path: Path, records: Sequence[Record], command: str) -> None:
    """Write the same tables as Markdown, with the smallest example of each finding that is none of a refusal."""
    engines = _engines(records)
    versions = sorted({f"{each['engine']} {each['version']}" for each in records})
    lines = [f"`{command}`", "", f"Versions: {'; '.join(versions)}.", ""]
    for counts in tables(records, engines):
        lines += [f"## {counts.title}", "", *markdown(counts, engines), ""]
    for engine in engines:
        found: dict[str, list[Record]] = {}
        for record in records:
            if record["engine"] == engine and record["kind"] in KINDS and record["kind"] not in (REFUSED, SLOW):
                found.setdefault(cause(record), []).append(record)
        lines += [f"## Examples: {engine}", ""] if found else []
        for what in sorted(found, key=lambda what: (-len(found[what]), what)):
            shown = min((_example(each) for each in found[what]), key=len)
            shown = shown if len(shown) <= WIDE else f"in {found[what][0]['file']}"
            lines.append(f"- {what} ({len({each['file'] for each in found[what]}):,}): {shown}")
        lines += [""] * bool(found)
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")


def _example(record: Record) -> str:
    schema, text = json.dumps(record.get("schema", WIDE * " ")), record.get("text", "")
    return f"`{schema}`" + (f" and `{text}`" if text else "")


def markdown(counts: Counts, engines: Sequence[str]) -> list[str]:
    """Return a table's lines in Markdown.

    >>> markdown(Counts("Schemas", "schemas", [("refused", [1200])]), ["ours"])
    ['| schemas | ours |', '|---|---|', '| refused | 1,200 |']
    """
    rows = [f"| {_cell(name)} | {' | '.join(f'{count:,}' for count in row)} |" for name, row in counts.rows]
    return [f"| {counts.what} | {' | '.join(engines)} |", "|---" * (len(engines) + 1) + "|", *rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def _engines(records: Sequence[Record]) -> list[str]:
    present = {record["engine"]: True for record in records}
    return [*(name for name in AUDITED if name in present), *(name for name in present if name not in AUDITED)]
