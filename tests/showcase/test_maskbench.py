"""MaskBench's runner, on a checkout of three schemas: outcomes, limits, and a run that goes on where it stopped."""

import io
import json
import os
import re
import signal
import sys
import time

import pytest
from rich.console import Console

from course import cli
from course.showcase.bench import maskbench
from course.showcase.bench.adapters import MaskEngine, Walk
from course.showcase.bench.maskbench import draw, outcome, read_records, run_maskbench
from labkit.vocabulary import Vocabulary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it forks, and limits memory, as only Linux can")

BYTES = Vocabulary.bytes()
PERSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
SCHEMAS = {
    "a---person": (PERSON, [({"name": "Ada"}, True), ({"name": "Ada", "age": 36}, True), ({"age": 36}, False)]),
    "b---choice": ({"enum": ["é", None]}, [("é", True), (None, True), (1, False)]),
    "c_0": ({"type": "array", "uniqueItems": True, "items": PERSON}, [([], True)]),
}
"""By name a schema, and values with MaskBench's verdict. A name without dashes is a schema too."""


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "checkout" / "maskbench" / "data"
    folder.mkdir(parents=True)
    for name, (schema, tests) in SCHEMAS.items():
        add(folder, name, schema, tests)
    return tmp_path / "checkout"


def add(folder, name, schema, tests=()):
    content = {"schema": schema, "tests": [{"data": data, "valid": valid} for data, valid in tests]}
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


def encode(text):
    return list(text.encode())


def does_as_it_is_told(vocabulary, encode):
    """Make an engine that allows every token, unless the schema's title tells it to come to grief."""

    def compile_(schema):
        trouble = schema.get("title") if isinstance(schema, dict) else None
        if trouble == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        while trouble == "spin":
            pass
        if trouble == "sleep":
            time.sleep(60)
        if trouble == "grow":
            bytearray(1 << 34)

        def step(token_id):
            if trouble == "stop":
                raise RuntimeError("too many states")
            return True

        if trouble == "refuse":
            raise RuntimeError("I don't like it")

        def start(buffer):
            buffer.words[:] = -1
            return Walk(lambda: None, step)

        return start

    return MaskEngine("theirs", "1", compile_)


@pytest.fixture(autouse=True)
def engines(monkeypatch):
    """Ours, and one that does as it is told; the labs' sources are tested elsewhere."""
    monkeypatch.setattr(maskbench, "run_sources", lambda *asked: None)
    monkeypatch.setattr(maskbench, "COMPARED", ("theirs",))
    monkeypatch.setitem(maskbench.ENGINES, "theirs", (does_as_it_is_told, ()))


def run(checkout, results, sample=9, seed=0, readings=("open",)):
    """Run the bench; return what it printed, and the outcomes by file and engine."""
    out = io.StringIO()
    console = Console(file=out, width=150)
    records = run_maskbench(console, checkout, results, sample, seed, readings, BYTES, encode)
    return out.getvalue(), {(r["file"].removesuffix(".json"), r["engine"]): outcome(r) for r in records}


def test_outcomes_the_table_and_a_step_for_each_token_and_eos(checkout, tmp_path):
    """Members that a schema does not mention may come, as the schema says."""
    text, found = run(checkout, results := tmp_path / "out" / "results.jsonl")
    assert found == {
        ("a---person", "ours, open"): "every value judged right",
        ("b---choice", "ours, open"): "every value judged right",
        ("c_0", "ours, open"): "refused as a whole",
        ("a---person", "theirs"): "an invalid value accepted",
        ("b---choice", "theirs"): "an invalid value accepted",
        ("c_0", "theirs"): "every value judged right",
    }
    rows = {name.strip(): cells.split("  ") for name, cells in re.findall(r"^([a-z][^\n]*?)  +(\S[^\n]*)$", text, re.M)}
    counts = {name: [int(cell) for cell in rows[name] if cell.strip()] for name in maskbench.OUTCOMES}
    assert counts == {
        "every value judged right": [2, 1],
        "refused as a whole": [1, 0],
        "a valid value refused": [0, 0],
        "an invalid value accepted": [0, 2],
        "stopped by a limit in mid-answer": [0, 0],
        "ended by time, memory or an error": [0, 0],
    }
    assert "3 schemas" in text and re.search(r"source to first mask, median +[\d.]+ [mµ]?s +[\d.]+ [mµ]?s", text)

    (record,) = (r for r in read_records(results) if (r["file"], r["engine"]) == ("b---choice.json", "ours, open"))
    walked = [len('"é"'.encode()) + 1, len("null") + 1, 1]
    assert len(record["steps"]) == sum(walked), "of the last value, 1, no token is allowed, which costs one step"


def test_work_is_the_same_everywhere_and_grows_with_what_is_asked_for(tmp_path):
    """Ten times the members, a first mask of at most ten times the work; what was read before costs none."""
    work = {}
    for count in (20, 200):
        names = [f"p{number}" for number in range(count)]
        schema = {"type": "object", "properties": {name: {"type": "integer"} for name in names}}
        add(tmp_path, f"s{count}", schema, [({names[7]: 1}, True)])
        asked = tmp_path / f"s{count}.json", maskbench.ours(BYTES, encode, reading="open"), BYTES, encode
        records = [maskbench.measured_apart(*asked)["work"] for _ in range(2)]
        assert records[0] == records[1]
        work[count] = records[0]
    assert 0 < work[200][0] <= 10 * work[20][0] and 0 < work[200][1] <= 10 * work[20][1], work
    assert work[20][2] == work[200][2] == 0, "masks and steps are kept"


@pytest.mark.parametrize(
    ("trouble", "ended"),
    [
        ("kill", r"killed, perhaps after 1 s of processor time"),
        ("spin", r"killed, perhaps after 1 s of processor time"),
        ("sleep", r"more than 1 s"),
        ("grow", r"MemoryError: .*"),
    ],
)
def test_a_schema_cannot_end_the_run(checkout, tmp_path, monkeypatch, trouble, ended):
    monkeypatch.setattr(maskbench, "CPU_SECONDS", 1)
    monkeypatch.setattr(maskbench, "WALL_SECONDS", 1 if trouble == "sleep" else 100)
    add(checkout / "maskbench" / "data", "b", {"title": trouble})
    _, found = run(checkout, results := tmp_path / "results.jsonl")
    assert found["b", "theirs"] == "ended by time, memory or an error" and len(found) == 8
    (record,) = (r for r in read_records(results) if (r["file"], r["engine"]) == ("b.json", "theirs"))
    assert re.fullmatch(ended, record["ended"])


def test_a_limit_in_mid_answer_is_a_result_of_its_own(checkout, tmp_path):
    """The schema was taken, so it isn't refused; what it cost until then is kept."""
    add(checkout / "maskbench" / "data", "b", {"title": "stop"}, [("a", True)])
    _, found = run(checkout, results := tmp_path / "results.jsonl")
    assert found["b", "theirs"] == "stopped by a limit in mid-answer"
    (record,) = (r for r in read_records(results) if (r["file"], r["engine"]) == ("b.json", "theirs"))
    assert record["stopped"] == "too many states" and record["first"] and "refused" not in record


def test_each_reading_has_a_column_of_its_own(checkout, tmp_path):
    """A schema's values decide which reading takes them; a value in another order, or of another type, is valid."""
    data = checkout / "maskbench" / "data"
    pair = {"type": "object", "properties": {"a": {}, "b": {}}}
    add(data, "d", pair, [({"a": 1, "c": 2}, True)])
    add(data, "e", pair, [({"b": 1, "a": 2}, True)])
    add(data, "f", {"required": ["a"]}, [([], True)])
    readings = ["form", "open", "unordered", "validator"]
    text, found = run(checkout, tmp_path / "results.jsonl", readings=readings)
    names = ["ours", "ours, open", "ours, unordered", "ours, validator"]
    passed = {file: [found[file, name] == "every value judged right" for name in names] for file in "def"}
    assert passed == {"d": [False, True, True, True], "e": [False, False, True, True], "f": [False, False, False, True]}
    assert re.search(r"open +unordered +validator", text)


def test_an_error_of_ours_that_is_no_refusal_is_not_passed_off_as_one(checkout, tmp_path, monkeypatch):
    def made(vocabulary, encode, **options):
        return MaskEngine("ours, open", "1", lambda schema: {}["a bug"])

    monkeypatch.setattr(maskbench, "ours", made)
    assert (
        run(checkout, tmp_path / "results.jsonl")[1]["b---choice", "ours, open"] == "ended by time, memory or an error"
    )


def test_a_run_goes_on_where_it_stopped(checkout, tmp_path):
    """What is measured is not measured again, in a larger sample either."""
    results = tmp_path / "results.jsonl"
    run(checkout, results, sample=1)
    before = results.read_bytes()
    text, found = run(checkout, results, sample=3)
    assert results.read_bytes().startswith(before) and len(found) == 6
    assert f"{results} has 2 records" in text and "schemas by engines (4 parts)" in text
    before = results.read_bytes()
    assert "schemas by engines (0 parts)" in run(checkout, results, sample=3)[0]
    assert results.read_bytes() == before
    assert len(run(checkout, results, sample=1)[1]) == 2, "of a smaller sample only what belongs to it is shown"


def test_a_last_line_that_was_cut_off_is_measured_again(checkout, tmp_path):
    results = tmp_path / "results.jsonl"
    _, whole = run(checkout, results)
    before = results.read_bytes()
    *lines, last = before.splitlines(keepends=True)
    for left in (1, 5, 20, len(last) - 1):
        results.write_bytes(b"".join(lines) + last[:left])
        assert len(read_records(results)) == 5
    text, found = run(checkout, results)
    assert "schemas by engines (1 parts)" in text and found == whole
    assert results.read_bytes().startswith(b"".join(lines)) and len(read_records(results)) == 6


@pytest.mark.parametrize("content", ["my notes", '["file", "engine"]\n', '{"file": "a"}\n', "7\n"])
def test_another_file_is_refused_and_stays(checkout, tmp_path, content):
    (results := tmp_path / "results.jsonl").write_text(content)
    with pytest.raises(ValueError, match=r"line 1 of .*results.jsonl is no record of maskbench"):
        run(checkout, results)
    assert results.read_text() == content


def test_a_sample_is_drawn_alike_everywhere(checkout):
    data = checkout / "maskbench" / "data"
    for number in range(20):
        add(data, f"d{number}", True)
    drawn = [file.name for file in draw(checkout, 5)]
    assert len(set(drawn)) == 5 and drawn == sorted(drawn)
    assert drawn == [file.name for file in draw(checkout / "maskbench", 5)], "its folder maskbench will do"
    assert [file.name for file in draw(checkout, 5, seed=1)] != drawn
    assert len(draw(checkout, 99)) == 23


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("maskbench FOLDER", "FOLDER has no schemas"),
        ("02 FOLDER", "a checkout, --sample, --seed and --reading go with maskbench"),
        ("02 --seed 3", "a checkout, --sample, --seed and --reading go with maskbench"),
        ("02 --reading form", "a checkout, --sample, --seed and --reading go with maskbench"),
        ("official", "official needs a clone of json-schema-org/JSON-Schema-Test-Suite"),
        ("official FOLDER", "FOLDER has no tests"),
        ("official FOLDER --reading parser", "--reading is one of form, open, unordered, validator, not 'parser'"),
        ("maskbench FOLDER --reading parser", "FOLDER has no schemas"),
        ("02 --sample 3", "a checkout, --sample, --seed and --reading go with maskbench"),
    ],
)
def test_a_command_that_makes_no_sense(monkeypatch, tmp_path, capsys, line, message):
    words = line.replace("FOLDER", str(tmp_path)).split()
    monkeypatch.setattr(sys, "argv", ["course", "bench", *words, "--json", str(tmp_path / "out.jsonl")])
    assert cli.main() == 2
    assert message.replace("FOLDER", str(tmp_path)) in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
