"""``course explain --tools``: which tool a text calls, and which part of the file minds, against other judges."""

import io
import json
import re
import shlex
import sys
import tomllib

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.showcase.bench.adapters import MaskEngine, Walk
from course.showcase.explain.calls import JsonCalls, explain_format
from course.showcase.explain.engines import ASKED
from course.showcase.explain.tool_sets import read_tool_set
from course.student.core.catalog import ROOT
from labkit.checking.properties import PROPERTY
from labkit.errors import InvalidSchema
from labs.lab_11_tool_calls.given.formats import FORMATS
from tests.bridges.extras import needs
from tests.runs import run_course

DEFINITIONS = [
    {
        "name": "fn_add_numbers",
        "description": "Add two numbers.",
        "parameters": {"a": {"type": "number"}, "b": {"type": "number"}},
        "returns": {"type": "number"},
    },
    {"name": "fn_greet", "description": "Greet a person.", "parameters": {"name": {"type": "string"}}},
    {"name": "now", "description": "Tell the time.", "parameters": {}},
]
"""As students of 42 get them."""

ORDER = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}, "a/b": {"type": "boolean"}},
    "required": ["rows"],
    "$defs": {"row": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}},
}
REQUEST = {"tools": [{"type": "function", "function": {"name": "order", "parameters": ORDER}}]}
"""As OpenAI's API takes them."""

SCHEMAS = {each["name"]: each for each in DEFINITIONS}


PLAIN = JsonCalls(read_tool_set(DEFINITIONS))


def of_json(text, tools=None, **options):
    """Return the report for calls as JSON; by default those of the function definitions."""
    given = tools is not None or options
    calls = JsonCalls(read_tool_set(tools or DEFINITIONS), **options) if given else PLAIN
    return calls.explain(text.encode())[0]


def judged(text):
    """Return whether a text is a call or a list of them, as ``json`` and ``jsonschema`` see it."""

    def unique(pairs):
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=unique)
        for call in value if isinstance(value, list) else [value]:
            (key,) = call.keys() & {"arguments", "parameters"}
            assert call.keys() <= {"name", key, "prompt", "id"} and isinstance(call.get("prompt", ""), str)
            properties = SCHEMAS[call["name"]]["parameters"]
            schema = {"type": "object", "properties": properties, "required": [*properties]}
            jsonschema.validate(call[key], schema | {"additionalProperties": False})
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError, jsonschema.ValidationError):
        return False
    return True


@pytest.mark.parametrize(
    ("text", "at", "tool", "place", "pointer", "may_come", "nearest"),
    [
        (
            '{"name": "fn_greet", "arguments": {"name": 7}}',
            43,
            *("fn_greet", "/arguments/name", "#/1/parameters/name", '"'),
            '{"name": "fn_greet", "arguments": {"name": ""}}',
        ),
        (  # an argument is missing
            '{"name": "fn_add_numbers", "arguments": {"a": 1}}',
            47,
            *("fn_add_numbers", "/arguments/a", "#/0/parameters/a", ","),
            '{"name": "fn_add_numbers", "arguments": {"a": 1,"b":0}}',
        ),
        (  # a key that is not declared, and one that is there twice
            '{"name": "fn_greet", "arguments": {"nick": "x"}}',
            37,
            *("fn_greet", "a key of /arguments", "#/1/parameters", 'ame":'),
            '{"name": "fn_greet", "arguments": {"name":""}}',
        ),
        (
            '{"name": "fn_add_numbers", "arguments": {"b": 1, "b": 2}}',
            50,
            *("fn_add_numbers", "a key of /arguments", "#/0/parameters", 'a":'),
            '{"name": "fn_add_numbers", "arguments": {"b": 1, "a":0}}',
        ),
        (  # the second of two calls, its name last
            '[{"name": "now", "arguments": {}}, {"prompt": "é", "arguments": {"name": no}, "name": "fn_greet"}]',
            None,
            *(None, "/1/arguments/name", None, "ull"),
            None,
        ),
        (
            '[{"name": "now", "parameters": {}}, {"prompt": "é", "parameters": {"name": 1}, "name": "fn_greet"}]',
            76,
            *("fn_greet", "/1/parameters/name", "#/1/parameters/name", '"'),
            '[{"name": "now", "parameters": {}}, {"prompt": "é", "parameters": {"name": ""}, "name": "fn_greet"}]',
        ),
        (  # no JSON
            "{'name': 'now'}",
            1,
            *(None, "a key of the whole value", None, '"'),
            '{"name":"now","arguments":{}}',
        ),
        (
            '{"name": "now", "arguments": {}, "why": "x"}',
            34,
            *(None, "a key of the whole value", None, 'prompt":'),
            None,
        ),
    ],
)
def test_where_a_call_breaks(text, at, tool, place, pointer, may_come, nearest):
    found = of_json(text)
    assert (found.verdict, found.tool, found.place) == ("refused", tool, place)
    assert at in (None, found.at) and any(each.strip() == may_come for each in found.allowed)
    assert [name for name, _ in found.asked_by] == ([pointer] if pointer else [])
    assert nearest in (None, found.nearest)
    assert found.nearest is None or (
        judged(found.nearest) and found.nearest.startswith(text.encode()[: found.at].decode())
    )


def test_a_wrong_type_deep_in_an_array():
    """The pointer is the one in the file, also after a reference, and white space and order are free."""
    text = '{ "arguments": {"a/b": true, "rows": [{"n": 1}, {"n": "2"}]}, "name": "order" }'
    found = of_json(text, REQUEST)
    assert (found.tool, found.place, found.at) == ("order", "/arguments/rows/1/n", text.index('"2"'))
    assert [name for name, _ in found.asked_by] == ["#/tools/0/function/parameters/$defs/row/properties/n"]
    found = of_json('{"name": "order", "arguments": {"rows": [], "a/b": 1', REQUEST)
    assert [name for name, _ in found.asked_by] == ["#/tools/0/function/parameters/properties/a~1b"]


@pytest.mark.parametrize(
    ("name", "at", "similar"),
    [
        ("fn_greeet", 17, "fn_greet"),
        ("add_numbers", 10, "fn_add_numbers"),
        ("fn_add", 16, "fn_add_numbers"),
        ("7", 10, None),
    ],
)
def test_a_wrong_name(name, at, similar):
    text = f'{{"name": "{name}", "arguments": {{"name": "x"}}}}'
    found = of_json(text)
    assert (found.verdict, found.at, found.tool, found.similar) == ("refused", at, None, similar)
    assert judged(found.nearest) and found.nearest.startswith(text[:at]) and not found.asked_by


@pytest.mark.parametrize("name", ['"fn_7"', "7", "null"])
def test_engines_are_asked_about_the_part_that_is_wrong(name):
    """That's the name, or the arguments of the one call, or else of all calls."""
    _, asked = PLAIN.explain(f'{{"name": {name}, "arguments": {{}}}}'.encode())
    assert asked == [("the tool's name", {"enum": [*SCHEMAS]}, name.encode(), 9)]
    good, bad = (f'{{"name": "fn_greet", "arguments": {{"name": {each}}}}}' for each in ('"x"', "7"))
    parts = [
        [part[2:] for part in PLAIN.explain(text.encode())[1]]
        for text in (f"[{good},{good}]", f"[{good},{bad},{good}]")
    ]
    start = good.index('{"name": "x"') + 1
    assert parts[0] == [(b'{"name": "x"}', start), (b'{"name": "x"}', start + len(good) + 1)]
    assert parts[1] == [(b'{"name": 7}', start + len(good) + 1)]


def test_valid_calls_are_named():
    written = [
        {"prompt": "Add 1 and 2", "name": "fn_add_numbers", "parameters": {"b": 2.0, "a": -1e3}},
        {"prompt": 'Say "hé"', "name": "fn_greet", "parameters": {"name": "h\u00e9"}},
    ]
    for text in (json.dumps(written), json.dumps(written, indent=4, ensure_ascii=False)):
        found = of_json(text)
        assert (found.verdict, found.calls, found.nearest) == ("whole", ("fn_add_numbers", "fn_greet"), text)
    old = [{"fn_name": "fn_add", "args_names": ["a"], "args_types": {"a": "float"}, "return_type": "float"}]
    assert of_json('[{"fn_name": "fn_add", "args": {"a": 1.5}}]', old).verdict == "whole"
    loose = '{"name": "fn_greet", "arguments": {"name": "x", "age": 3}}'
    assert [of_json(loose, is_open=each).verdict for each in (False, True)] == ["refused", "whole"]
    assert of_json(loose, reading="validator").verdict == "whole"


VALUES = st.sampled_from([1, -2.5, "x", 'é"', True, None, [], {}, {"n": 1}])
KEYS = st.sampled_from(["a", "b", "name", "c"])
CALLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from([*SCHEMAS, "fn"]),
        "arguments": st.fixed_dictionaries({"a": st.just(1), "b": st.just(0.5)})
        | st.fixed_dictionaries({"name": st.text(max_size=3)})
        | st.dictionaries(KEYS, VALUES, max_size=3),
    },
    optional={"prompt": st.text(max_size=3) | st.just(1), "id": st.just("x"), "extra": st.none()},
)


@PROPERTY
@given(CALLS | st.lists(CALLS, max_size=2), st.data())
def test_whole_texts_are_those_that_other_judges_take(value, data):
    """Cut or change a text anywhere: the verdict is theirs, and the nearest whole text is whole for them too."""
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    place = data.draw(st.integers(0, len(text)))
    text = data.draw(st.sampled_from([text, text[:place], text[:place] + "x" + text[place:]]))
    text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    found = of_json(text)
    assert (found.verdict == "whole") == judged(text), text
    if found.nearest is not None:
        assert judged(found.nearest), (text, found.nearest)
        assert found.nearest.encode().startswith(text.encode()[: found.at].decode("utf-8", "ignore").encode())
    if found.verdict == "unfinished":
        assert found.at == len(text.encode())


WRITTEN = tomllib.loads((ROOT / "labs/lab_11_tool_calls/given/examples.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [name for name, row in FORMATS.items() if row.constrained])
def test_every_format_names_tool_and_pointer(name):
    """Each format's own example is whole; with another city it breaks at that city, and with another name before it."""
    tools = [DEFINITIONS[2], {"name": "get_weather", "parameters": {"city": {"enum": ["Rome", "Oslo"]}}}]
    text = WRITTEN[name].removeprefix("\n")
    whole, _ = explain_format(read_tool_set(tools), name, text.encode())
    assert (whole.verdict, whole.calls) == ("whole", ("get_weather",))
    found, asked = explain_format(read_tool_set(tools), name, text.replace("Rome", "Paris").encode())
    assert (found.verdict, found.tool, found.place, found.calls) == (
        "refused",
        "get_weather",
        "/city",
        ("get_weather",),
    )
    assert found.at == len(text[: text.index("Rome")].encode()) and found.asked_by[0][0] == "#/1/parameters/city"
    assert [json.loads(each[2]) for each in asked] == [{"city": "Paris"}] * FORMATS[name].whole
    wrong, _ = explain_format(read_tool_set(tools), name, text.replace("get_weather", "get_wether").encode())
    assert wrong.tool is None and wrong.similar in ("get_weather", None)
    assert wrong.calls == () and (wrong.verdict, wrong.similar) in (("refused", "get_weather"), ("whole", None))


def test_the_tool_of_an_earlier_call_is_not_meant():
    text = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n<tool_call>\n{"name": "nov"'
    found, _ = explain_format(read_tool_set(DEFINITIONS), "hermes", text.encode())
    assert (found.verdict, found.at, found.tool, found.similar) == ("refused", len(text) - 2, None, "now")


@pytest.mark.parametrize(
    ("tools", "says", "pointer"),
    [
        (None, "a tool set is a list", ""),
        ([], "a tool set is a list", ""),
        ({"tools": {}}, "a tool set is a list", "/tools"),
        ([7], "a tool is an object", "/0"),
        ([{"parameters": {}}], "a tool's name", "/0/name"),
        ([{"fn_name": ""}], "a tool's name", "/0/fn_name"),
        ([*DEFINITIONS, DEFINITIONS[0]], "two tools are named 'fn_add_numbers'", "/3/name"),
        ([{"name": "f", "parameters": [1]}], "a tool's parameters", "/0/parameters"),
        ([{"name": "f", "parameters": {"a": {"type": "floot"}}}], "unknown type 'floot'", "/0/parameters/a/type"),
        ([{"name": "f", "args_types": {"a": "list"}}], "unknown type 'list'", "/0/args_types/a/type"),
        ([{"name": "f", "parameters": {"a": 3}}], "a schema is an object", "/0/parameters/a"),
        (
            {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "string"}}}]},
            "a tool's parameters",
            "/tools/0/function/parameters/type",
        ),
        (
            [{"name": "f", "parameters": ORDER | {"$defs": {}}}],
            "leads nowhere",
            "/0/parameters/properties/rows/items/$ref",
        ),
    ],
)
def test_a_malformed_tool_set_is_refused_where_it_is(tools, says, pointer):
    with pytest.raises(InvalidSchema, match=re.escape(says)) as caught:
        JsonCalls(read_tool_set(tools))
    assert caught.value.pointer == pointer


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        (b"\xff", "refused"),
        (b'{"name": "fn_greet", "arguments": {"name": "\xff', "refused"),
        ('[{"prompt": "é'.encode()[:-1], "unfinished"),
        (b'{"arguments": ' + b'{"a": ' * 60, "unfinished"),
        (b'{"name": "' + b"fn_" * 20_000, "refused"),
        (b'{"name": "fn_greet", "arguments": {"name": "' + b'\\"' * 40_000, "unfinished"),
        (b"[" + b",".join([b'{"name":"now","arguments":{}}'] * 1_000) + b"]", "whole"),
    ],
    ids=range(7),
)
def test_hostile_texts(content, verdict):
    found, _ = PLAIN.explain(content)
    assert found.verdict == verdict
    assert found.nearest is None or judged(found.nearest)


def test_hundreds_of_tools():
    tools = [{"name": f"fn_{n}", "parameters": {f"p{n}": {"type": "integer"}}} for n in range(300)]
    found = of_json('{"name": "fn_271", "arguments": {"p271": 1.5}}', tools)
    assert (found.tool, [name for name, _ in found.asked_by]) == ("fn_271", ["#/271/parameters/p271"])


def write(folder, tools=DEFINITIONS):
    file = folder / "tools.json"
    file.write_text(json.dumps(tools), encoding="utf-8")
    return str(file)


def test_the_command_says_it_all(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        return run_course(monkeypatch, capsys, "explain", "--tools", write(tmp_path), *arguments)

    status, out, _ = run('{"name": "fn_greet", "arguments": {"name": 7}}')
    assert status == 1 and "#/1/parameters/name" in out and "The tool is fn_greet, in call 1 of this text." in out
    status, out, _ = run('{"name": "fn_great"')
    assert status == 1 and "The tool with the most similar name is fn_greet." in out
    status, out, _ = run('{"name": "now", "arguments": {}}')
    assert status == 0 and "1 call: now." in out
    status, out, _ = run("--json", "[]")
    assert status == 0 and json.loads(out)["calls"] == []
    status, out, _ = run("--format", "hermes", "It's noon.")
    assert status == 0 and "There's no call in it." in out


def test_a_file_of_results(tmp_path, monkeypatch, capsys):
    """As ``json.dump`` and an editor leave it, with a new line at its end."""
    results = [{"prompt": "2+3", "name": "fn_add_numbers", "parameters": {"a": 2.0, "b": 3.0}}] * 2
    for indent, end in ((None, ""), (4, "\n"), (2, "\r\n")):
        content = io.BytesIO((json.dumps(results, indent=indent) + end).encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
        status, out, _ = run_course(monkeypatch, capsys, "explain", "--tools", write(tmp_path), "-")
        assert status == 0 and "2 calls: fn_add_numbers, fn_add_numbers." in out


def test_the_page_for_call_me_maybe_shows_what_the_command_prints(tmp_path, monkeypatch, capsys):
    """Each command with its output; the tool set is the page's own."""
    page = (ROOT / "book" / "pages" / "call_me_maybe.md").read_text(encoding="utf-8")
    definitions = re.search(r"```json\n(.*?)```", page, re.S)[1]
    (tmp_path / "functions_definition.json").write_text(definitions, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = re.findall(r"```console\n\$ python3 -m course ([^\n]*)\n(.*?)\n```", page, re.S)
    for command, output in shown:
        status, out, _ = run_course(monkeypatch, capsys, *shlex.split(command))
        assert (status, out.strip()) == (int("can't come here" in output), output), command
    assert len(shown) == page.count("$ python3") == 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--schema", "b", "x"], "one of --regex, --schema, --grammar and --tools"),
        (["--format", "yaml", "x"], "no format of tool calls is named 'yaml'"),
        (["--format", "gemma4", "x"], "the calls of gemma4 have no automaton"),
        (["--format", "hermes", "--open", "x"], "--open and --reading go with calls as JSON"),
        (["--prompt", "x", "x"], "--prompt goes with"),
        (["{" * 1_001], "deeper than 1,000 levels"),
        (["a" * 200_000], "more than 100,000 bytes"),
    ],
)
def test_what_cannot_be_explained(tmp_path, monkeypatch, capsys, arguments, says):
    status, _, error = run_course(monkeypatch, capsys, "explain", "--tools", write(tmp_path), *arguments)
    assert status not in (0, 1) and says in error


def test_a_malformed_file_is_named(tmp_path, monkeypatch, capsys):
    file = write(tmp_path, [{"name": "f", "parameters": {"a": {"type": "floot"}}}])
    status, _, error = run_course(monkeypatch, capsys, "explain", "--tools", file, "{}")
    assert status not in (0, 1) and "unknown type 'floot'" in error and "/0/parameters/a/type" in error
    for what, says in (("[", "is no JSON"), ("[" * 100_000, "nested too deep")):
        (tmp_path / "tools.json").write_text(what, encoding="utf-8")
        status, _, error = run_course(monkeypatch, capsys, "explain", "--tools", file, "{}")
        assert status not in (0, 1) and says in error
    for arguments in (["--regex", "a", "--format", "hermes", "a"], ["--grammar", file, "--engines", "a"]):
        assert run_course(monkeypatch, capsys, "explain", *arguments)[0] not in (0, 1)


def digit_engine(vocabulary, encode):
    """Return an engine that knows no ``minimum``: one digit, and then the end. After 9 it fails."""

    def compile_(language):
        def start(buffer):
            read = []

            def fill():
                buffer.words[:] = 0
                for token in [256] if read else b"0123456789":
                    buffer.words.view("uint32")[0, token // 32] |= 1 << token % 32

            def advance(token):
                read.append(token)
                if token == ord("9"):
                    raise OSError("a panic\n at 9")
                return True

            return Walk(fill, advance)

        if language == "a":
            raise ZeroDivisionError("no a")
        return start

    assert len(vocabulary) == 257 and encode("é") == [0xC3, 0xA9]
    return MaskEngine("digits", "9", compile_)


def test_engines_have_a_line_each(tmp_path, monkeypatch, capsys):
    def broken(vocabulary, encode):
        raise RuntimeError

    monkeypatch.setitem(ASKED, "digits", (digit_engine, ("json",)))
    monkeypatch.setitem(ASKED, "broken", (broken, ("json",)))
    monkeypatch.setitem(ASKED, "absent", (broken, ("json", "no_such_module")))
    file = tmp_path / "schema.json"
    file.write_text('{"type": "integer", "minimum": 3}', encoding="utf-8")
    says = {
        "2": "accepts it",
        "x": "refuses it at byte 0: 'x'",
        "": "allows it so far, but not the end",
        "7é": "refuses it at byte 1: 'é'",
        "9": "breaks down in it at byte 0: a panic at 9",
    }
    for text, line in says.items():
        out = run_course(monkeypatch, capsys, "explain", "--schema", str(file), "--engines", text)[1]
        last = [f"digits 9: {line}", "broken: does not start: RuntimeError", "absent: not installed"]
        assert out.splitlines()[-3:] == last
    out = run_course(monkeypatch, capsys, "explain", "--regex", "a", "--engines", "--json", "a")[1]
    assert json.loads(out)["engines"]["digits 9"] == "refuses the schema of it: no a"
    assert [*ASKED][:3] == ["xgrammar", "llguidance", "outlines-core"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs(*modules, extra="an engine of its own (upstream_notes/README.md)"))
        for name, (_, modules) in ASKED.items()
    ],
)
def test_an_installed_engine_agrees_on_a_plain_call(name):
    """Where an engine is installed; the course's own tests run without them."""
    from course.showcase.explain.engines import verdicts

    for text, says in ((b'{"a": 1}', "accepts it"), (b'{"a": "x"}', "refuses it at byte 6: '\"'")):
        schema = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
        schema["additionalProperties"] = False
        lines = dict(verdicts([("it", schema, text, 0)]))
        assert [line for key, line in lines.items() if key.startswith(name)] == [says]
