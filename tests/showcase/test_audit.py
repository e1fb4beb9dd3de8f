"""The audit, on engines that each commit one fault: it's found, made small and named; an honest one has none."""

import io
import json
import os
import re
import signal
import sys
from functools import partial

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console

from course import cli
from course.showcase.audit import command, engines
from course.showcase.audit.asking import ACCEPTS, DEAD_END, DROPPED, ENDED, FORBIDS, REFUSED, SLOW
from course.showcase.audit.command import drawn, run_audit
from course.showcase.audit.oracle import Oracle
from course.showcase.audit.tables import CHECKED, show
from course.showcase.bench.adapters import MaskEngine, Walk, ours
from labkit.vocabulary import Vocabulary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it forks, and limits memory, as only Linux can")

BYTES = Vocabulary.bytes()
THING = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 3, "description": "a number"},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 4}, "maxItems": 2},
    },
    "required": ["id"],
    "additionalProperties": False,
}
TESTS = [({"id": 7, "tags": ["ab"]}, True), ({"id": 3}, True), ({"tags": []}, False), ({"id": 1}, False)]


def encode(text):
    return list(text.encode())


def write(tmp_path, *schemas):
    """Write schemas with their values as the official suite's lines."""
    path = tmp_path / "suite.jsonl"
    rows = [
        {"file": f"{name}.json", "description": name, "schema": schema,
         "tests": [{"description": "", "data": data, "valid": valid} for data, valid in tests]}
        for name, schema, tests in schemas
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# Engines with one fault, made of ours ------------------------------------------------------------------


def changed(schema, change):
    """Return a schema in which each part, from the inside out, is what ``change`` makes of it."""
    if isinstance(schema, dict):
        return change({key: changed(each, change) for key, each in schema.items()})
    return [changed(each, change) for each in schema] if isinstance(schema, list) else schema


def reading(change):
    """Return an engine that is ours, but reads another schema than it is given."""

    def make(vocabulary, encode, reading="open"):
        inner = ours(vocabulary, encode, reading=reading)
        return MaskEngine("theirs", "1", lambda schema: inner.compile(changed(schema, change)))

    return make


def drops(schema):
    return {key: each for key, each in schema.items() if key != "minimum"}


def slackens(schema):
    return schema | {"maxLength": schema["maxLength"] + 1} if "maxLength" in schema else schema


def tightens(schema):
    return schema | {"maxItems": 0} if "maxItems" in schema else schema


def refuses(schema):
    if "minimum" in schema:
        raise RuntimeError("minimum is not supported at '/properties/id'")
    return schema


def crashes(schema):
    if "maxItems" in schema:
        os.kill(os.getpid(), signal.SIGSEGV)
    return schema


def loops(schema):
    while "maxItems" in schema:
        pass
    return schema


def leaks(schema):
    return {}[schema["maxItems"]] if "maxItems" in schema else schema


def dead_ends(vocabulary, encode):
    """Return an engine that has nothing to say after a space, where there is a minimum."""
    inner = ours(vocabulary, encode, reading="open")

    def compile_(schema):
        start = inner.compile(schema)
        if "minimum" not in json.dumps(schema):
            return start

        def dead(buffer):
            walk, written = start(buffer), []

            def fill():
                walk.fill()
                if written and written[-1] == ord(" "):
                    buffer.words[:] = 0

            def advance(token_id):
                written.append(token_id)
                return walk.advance(token_id)

            return type(walk)(fill, advance)

        return dead

    return MaskEngine("theirs", "1", compile_)


@pytest.fixture
def audit(tmp_path, monkeypatch):
    """Run the audit of one engine on the thing, and return its records."""
    monkeypatch.setattr(command, "TRIES_APART", 60)

    def run(make, *schemas, out="found.jsonl"):
        monkeypatch.setitem(engines.AUDITED, "theirs", (make, ()))
        suite = write(tmp_path, *(schemas or [("thing", THING, TESTS)]))
        console = Console(file=io.StringIO(), width=150)
        return run_audit(console, suite, tmp_path / out, ["theirs"], vocabulary=BYTES, encode=encode)

    return run


@pytest.mark.parametrize(
    ("make", "kind", "keyword", "schema", "text"),
    [
        (reading(drops), DROPPED, "minimum", {"minimum": 3}, "1"),
        (reading(slackens), ACCEPTS, "maxLength", {"maxLength": 4}, None),
        (reading(tightens), FORBIDS, "maxItems", {"maxItems": 2}, None),
        (reading(refuses), REFUSED, "minimum", {"minimum": 3}, None),
        (dead_ends, DEAD_END, "minimum", {"minimum": 3}, None),
        (reading(crashes), ENDED, "maxItems", {"maxItems": 2}, None),
        (reading(leaks), ENDED, "maxItems", {"maxItems": 2}, None),
    ],
)
def test_each_fault_is_found_made_small_and_named(audit, make, kind, keyword, schema, text):
    *findings, checked = audit(make)
    assert {(each["kind"], each["keyword"]) for each in findings} == {(kind, keyword)}, findings
    found = findings[0]
    if kind == DEAD_END:
        assert found["schema"] == {"properties": {"id": {"minimum": 3}}}, "the text is the beginning of an object"
        assert found["text"].endswith(" ") and found["message"] == "the mask is empty"
        return
    assert keyword in found["schema"] and len(found["schema"]) <= 2, found
    assert text is None or found["text"] == text
    assert checked["kind"] == CHECKED and found["engine"] == "theirs" and found["version"] == "1"
    if kind in (ACCEPTS, DROPPED):
        assert not Draft202012Validator(found["schema"]).is_valid(json.loads(found["text"]))
    if kind == FORBIDS:
        assert Draft202012Validator(found["schema"]).is_valid(json.loads(found["text"]))
        assert "stops after" in found["message"]


def test_an_engine_without_end_is_stopped_and_shown_small(audit, monkeypatch):
    monkeypatch.setattr(command, "CPU_SECONDS", 1)
    finding, _ = audit(reading(loops))
    assert (finding["kind"], finding["keyword"]) == (SLOW, "maxItems")
    assert finding["message"].startswith("killed, perhaps after 1 s of processor time, compiling; this small one")
    assert "properties" not in finding["schema"]


@pytest.mark.parametrize("reading_", ["form", "open", "unordered"])
def test_an_honest_engine_has_no_finding_and_its_choices_are_counted(audit, reading_):
    """Members in another order, unmentioned members and implied types are choices."""
    pair = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}}
    values = [({"b": 1, "a": 2}, True), ({"a": 2, "c": 3}, True), ({"a": 1.0}, True), ({"a": "x"}, False)]
    schemas = [("thing", THING, TESTS), ("pair", pair, values), ("short", {"minLength": 1}, [(7, True), ("", False)])]
    records = audit(partial(ours, reading=reading_), *schemas)
    assert {record["kind"] for record in records} == {CHECKED}
    policies = {what for record in records for what in record["counts"] if what.startswith("policy")}
    expected = {"policy: implied types", "policy: numbers"}
    expected |= {"policy: order"} if reading_ != "unordered" else set()
    expected |= {"policy: closed"} if reading_ == "form" else set()
    assert policies == expected


def test_formats_are_no_findings(audit):
    """The standard lets them be notes, so who ignores one isn't wrong, and neither is who wants more of one."""
    schema = {"type": "string", "format": "ipv4"}
    ignores = reading(lambda schema: {key: each for key, each in schema.items() if key != "format"})
    (record,) = audit(ignores, ("ip", schema, [("1.2.3.4", True), ("x", False)]))
    assert record["counts"]["policy: formats not checked"] == 1
    demands = reading(lambda schema: schema | {"format": "ipv6"} if "format" in schema else schema)
    (record,) = audit(demands, ("ip", schema, [("1.2.3.4", True)]), out="other.jsonl")
    assert record["counts"]["unsettled: format"] == 1


def test_who_reads_no_items_where_none_are_described_has_chosen_so(audit):
    closes = reading(lambda schema: schema | {"items": False} if {*schema} == {"type", "maxItems"} else schema)
    (record,) = audit(closes, ("list", {"type": "array", "maxItems": 2}, [([7], True), ([], True)]))
    assert record["counts"]["policy: closed arrays"] == 1


def test_a_pattern_is_a_schema_too(audit, tmp_path, monkeypatch):
    def make(vocabulary, encode):
        inner = ours(vocabulary, encode)
        return MaskEngine("theirs", "1", lambda pattern: inner.compile(pattern.replace("{2}", "{3}")))

    monkeypatch.setitem(engines.AUDITED, "theirs", (make, ()))
    rows = [{"pattern": "(a|b){2}c*", "text": text, "fullmatch": len(text) == 2} for text in ("ab", "aba")]
    (tmp_path / "patterns.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    console = Console(file=io.StringIO())
    records = run_audit(console, tmp_path / "patterns.jsonl", tmp_path / "found.jsonl", ["theirs"], 9, 0, BYTES, encode)
    found = {record["kind"]: record for record in records}
    assert {*found} == {FORBIDS, ACCEPTS, CHECKED} and "{2}" in found[FORBIDS]["schema"]


def test_an_engine_that_wants_other_tokens_forbids_nothing(tmp_path, monkeypatch):
    """Where a text is sure to go on in one way, llguidance allows its own first token alone."""
    vocabulary = Vocabulary([bytes([each]) for each in range(256)] + [b"ab", b"</s>"], eos_id=257)

    def encode(text):
        return [256 if part == "ab" else ord(part) for part in re.findall("ab|.", text)]

    def choosy(vocabulary, encode):
        inner = ours(vocabulary, encode, reading="open")

        def compile_(schema):
            start = inner.compile(schema)

            def begun(buffer):
                walk = start(buffer)

                def fill():
                    walk.fill()
                    buffer.words[0, 8] &= ~1  # not the token "ab"

                return Walk(fill, walk.advance)

            return begun

        return MaskEngine("theirs", "1", compile_)

    monkeypatch.setitem(engines.AUDITED, "theirs", (choosy, ()))
    suite = write(tmp_path, ("s", {"type": "string"}, [("cab", True)]))
    records = run_audit(Console(file=io.StringIO()), suite, tmp_path / "o.jsonl", ["theirs"], 9, 0, vocabulary, encode)
    (last,) = records
    assert last["kind"] == CHECKED and last["counts"]["policy: in other tokens"] >= 1


def test_the_time_of_the_oracle_is_no_finding(audit, monkeypatch):
    def slow(schema, value):
        while True:
            pass

    monkeypatch.setattr("course.showcase.audit.asking.forbidding", slow)
    monkeypatch.setattr(command, "CPU_SECONDS", 2)
    records = audit(reading(tightens), ("a", {"type": "array", "maxItems": 2}, [([1], True)]))
    assert {record["kind"] for record in records} == {CHECKED} and records[-1]["counts"]["cut short"] == 1


def test_a_run_that_was_ended_goes_on_to_the_same_file(audit, tmp_path):
    schemas = [("a", THING, TESTS), ("b", {"minimum": 1}, [(1, True), (0, False)]), ("c", THING, TESTS)]
    whole_records = audit(reading(drops), *schemas)
    whole = (tmp_path / "found.jsonl").read_bytes()
    for cut in (1, len(whole) // 3, len(whole) - 2):
        (tmp_path / "again.jsonl").write_bytes(whole[:cut])
        assert audit(reading(drops), *schemas, out="again.jsonl") == whole_records
        assert (tmp_path / "again.jsonl").read_bytes() == whole


def test_the_tables_count_schemas(audit, tmp_path):
    records = audit(reading(drops), ("a", THING, TESTS), ("b", THING, TESTS))
    out = io.StringIO()
    show(Console(file=out, width=150), records)
    lines = {" ".join(line.split()) for line in out.getvalue().splitlines()}
    assert {"asked about 2", "keyword dropped 2", "refused 0", "keyword dropped: minimum 2"} <= lines
    page = (tmp_path / "found.jsonl.md").read_text().splitlines()
    assert "| asked about | 2 |" in page
    assert '- keyword dropped: minimum (2): `{"minimum": 3}` and `1`' in page


@pytest.mark.parametrize(
    ("schema", "value", "verdict"),
    [
        ({"multipleOf": 0.01}, 19.99, True),
        ({"type": "string", "pattern": "^[^a]$"}, "é", None),
        ({"exclusiveMaximum": 1}, 1e300, None),
        ({"$ref": "https://example.com/schema"}, 1, None),
        ({"type": 7}, 1, None),
        ({"items": [{"type": "null"}]}, [1], None),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}, 2, None),
        ({"properties": {"a": False}}, {"a": 1}, False),
        ({"oneOf": [{"format": "ipv4"}, {"format": "date"}]}, "1.2.3.4", None),
        ({"oneOf": [{"format": "ipv4"}, {"format": "date"}]}, "x", False),
        ({"oneOf": [{"format": "uuid"}, {"pattern": "2"}]}, "2", None),
    ],
)
def test_the_oracle_keeps_silent_where_nobody_can_say(schema, value, verdict):
    assert Oracle(schema).valid(value) is verdict


def test_sources_and_a_command_that_makes_no_sense(tmp_path, monkeypatch, capsys):
    suite = write(tmp_path, *[(f"s{number}", {"const": number}, []) for number in range(9)])
    names = [source.name for source in drawn(suite, 4, 0)]
    assert len(names) == 4 and names == [source.name for source in drawn(suite, 4, 0)]
    monkeypatch.setattr(sys, "argv", ["course", "audit", str(suite), "--engine", "mine", "--out", str(tmp_path / "o")])
    assert cli.main() == 2
    assert "--engine is one of ours; ours, open" in capsys.readouterr().err
