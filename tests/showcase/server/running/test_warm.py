"""Formats compiled before the server listens: what a folder may hold, and what a client sees of it."""

import io
import re
import socket

import pytest
from rich.console import Console

from course.showcase.server.journal import LOG
from labkit.engine import SamplingParams
from labkit.errors import CourseError
from labkit.small_model import SmallModel
from tests.runs import run_course

GOOD = {
    "person.json": '{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}',
    "brackets.gbnf": 'root ::= "(" root? ")"\n',
    "hex.regex": "#[0-9a-f]{6}\n",
}
ASKED = [
    {"type": "json_schema", "json_schema": {"name": "p", "strict": True, "schema": {}}},
    {"type": "grammar", "grammar": 'root ::= "(" root? ")"'},
    {"type": "regex", "pattern": "#[0-9a-f]{6}"},
]


def folder_of(tmp_path, files):
    for name, text in files.items():
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path


def warmed(folder):
    from course.showcase.serving import formats_in, make_engine, warm

    engine, said = make_engine(SmallModel.load("early")), Console(file=io.StringIO(), width=200)
    warm(engine, formats_in(folder), said)
    return engine, said.file.getvalue()


def test_what_was_warmed_is_found_by_the_requests_of_clients(tmp_path):
    """With the masks along an answer; nothing is left of the requests that made them."""
    import json

    engine, said = warmed(folder_of(tmp_path, GOOD | {"notes.txt": "no format"}))
    assert "3 formats compiled" in said and not engine.requests and not engine.structured_outputs.tickets
    cache = engine.structured_outputs.cache
    assert (len(cache.keys()), cache.num_waiting(), cache.misses) == (3, 0, 3)
    ASKED[0]["json_schema"]["schema"] = json.loads(GOOD["person.json"])
    for asked in ASKED:
        request = engine.add_request([3], SamplingParams(max_tokens=40, seed=0), response_format=asked)
        assert engine.structured_outputs.ready(request)
        engine.generate(request)
        assert request.finish_reason == "stop"
    assert cache.misses == 3


BAD = {
    "half.json": ('{"type": ', "line 1 column 10"),
    "twice.json": ('{"type": "null", "type": "null"}', "twice"),
    "latin.json": ('{"const": "é"}'.encode("latin-1"), "codec"),
    "keyword.json": ('{"properties": {"a": {"type": "strin"}}}', "/properties/a"),
    "nothing.json": ('{"enum": []}', ""),
    "rule.gbnf": ('root ::= "a"\nroot2 ::= b\n', "line 2"),
    "open.regex": ("ab(c", "2"),
    "endless.regex": ("(((a{1,1000}){1,1000}){1,1000}){90}", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_with_the_place(tmp_path, name):
    text, place = BAD[name]
    folder = folder_of(tmp_path, GOOD | {name: text})
    with pytest.raises(ValueError, match=re.escape(f"{folder / name}: ")) as refused:
        warmed(folder)
    assert place in str(refused.value).removeprefix(str(folder / name))
    assert not isinstance(refused.value, CourseError)


def test_a_folder_without_formats_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(ValueError, match=re.escape(f"{folder}: there is no *.json")):
            warmed(folder)


@pytest.fixture
def serve(monkeypatch, capsys):
    """``course serve`` in this process, which keeps its log out of the other tests': status, and all that it said."""

    def run(*options):
        status, *said = run_course(monkeypatch, capsys, "serve", *options)
        return status, " ".join("".join(said).split())

    monkeypatch.setattr(LOG, "handlers", [])
    return run


def test_a_bad_file_ends_the_command_before_it_listens(tmp_path, serve):
    folder = folder_of(tmp_path, {"open.regex": "(a"})
    status, said = serve("--port", "0", "--warm", str(folder))
    assert status and "open.regex:" in said and "Serving" not in said and "Traceback" not in said


def test_a_port_that_is_taken_is_told_with_what_to_do(serve):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        status, said = serve("--port", str(taken.getsockname()[1]))
    assert status and "address already in use" in said and "--port 0" in said and "Traceback" not in said
