"""``course explain``: where a text breaks, what may come, and the nearest whole text, against other judges."""

import json
import math
import re
import shlex

import jsonschema
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from course.showcase.explain.places import asked_by, place_after
from course.showcase.explain.report import explain
from course.student.core.catalog import ROOT
from labkit.checking.properties import PROPERTY
from labkit.scenes.prompted import prompted
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide
from tests.runs import run_course

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 5},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
    },
    "required": ["name", "items"],
    "$defs": {
        "item": {
            "type": "object",
            "properties": {
                "sku": {"type": "string", "pattern": "^[A-Z]{2}$"},
                "price": {"type": "number", "minimum": 0},
            },
            "required": ["sku", "price"],
        }
    },
}
ITEM = "#/$defs/item"
BRACKETS = 'root ::= "[" (item ("," item)*)? "]"\nitem ::= root | [0-9]+'


def of_schema(text, schema=SCHEMA):
    """Return the report for a text under a schema."""
    return explain(compile_guide(Vocabulary.toy(), json_schema=schema), text.encode(), schema)


@pytest.mark.parametrize("pattern", ["0x[0-9a-f]+", "(ab|a)(c|bcd)*", "é{2}|ö+", "yes|no|maybe"])
@PROPERTY
@given(data=st.data())
def test_where_a_text_breaks_and_how_it_ends(pattern, data):
    """The ``regex`` package says how much of a text a match may begin with, and that the nearest text is one."""
    text = data.draw(st.text(st.sampled_from("0x1fabcdéöyesnom"), max_size=8))
    found = explain(compile_guide(Vocabulary.toy(), regex=pattern), text.encode())
    viable = [n for n in range(len(text) + 1) if regex.fullmatch(pattern, text[:n], partial=True)]
    longest = text[: max(viable)]
    assert found.text.encode()[: found.at].decode("utf-8", "ignore") == longest
    assert regex.fullmatch(pattern, found.nearest) and found.nearest.startswith(longest)
    assert found.may_end == (found.at == len(longest.encode()) and regex.fullmatch(pattern, longest) is not None)
    assert (found.verdict == "refused") == (found.at < len(text.encode()))


@pytest.mark.parametrize(
    ("text", "at", "place", "pointer", "may_come"),
    [
        ('{"name": 1', 9, "/name", "#/properties/name", '"'),
        ('{"name": "Anneke', 15, "/name", "#/properties/name", '",'),
        ('{"name": "A", "items": [{"sku": "aB', 33, "/items/0/sku", f"{ITEM}/properties/sku", "A to Z"),
        ('{"name": "A", "items": [{"sku":"AB","colour', 37, "a key of /items/0", ITEM, 'price":'),
        ('{"name": "A", "items": [{"sku":"AB","price":-1', 45, "/items/0/price", f"{ITEM}/properties/price", "0"),
        ('{"name": "A", "items": [{}', 25, "a key of /items/0", ITEM, '"sku":'),
        ('{"name": "A"}', 12, "/name", "#/properties/name", ","),
        ("[", 0, "the whole value", "#", "{"),
    ],
)
def test_which_part_of_a_schema_asks_for_it(text, at, place, pointer, may_come):
    """Place and pointer are those that a reader would name, and the nearest text satisfies ``jsonschema``."""
    found = of_schema(text)
    assert (found.at, found.place, found.asked_by[0][0]) == (at, place, pointer)
    assert may_come in found.allowed
    jsonschema.validate(json.loads(found.nearest), SCHEMA)
    assert found.nearest.startswith(text[:at])


def test_references_may_turn_in_a_circle_and_combine():
    """A pointer is found below ``$ref``, ``allOf``, patterns and tuples, and a circle of references ends."""
    schema = {
        "allOf": [{"$ref": "#/$defs/a"}, {"patternProperties": {"^x": {"type": "null"}}}],
        "additionalProperties": {"prefixItems": [{}, {"const": 1}], "items": False},
        "$defs": {"a": {"anyOf": [{"$ref": "#"}, {"properties": {"x/": True}}]}},
    }
    names = [name for name, _ in asked_by(schema, ("x/",))]
    assert {"#/$defs/a/anyOf/1/properties/x~1", "#/allOf/1/patternProperties/^x"} <= set(names)
    assert [name for name, _ in asked_by(schema, ("y", 1))] == ["#/additionalProperties/prefixItems/1"]
    assert [name for name, _ in asked_by(schema, ("y", 7))] == ["#/additionalProperties/items"]


@PROPERTY
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=5), each, max_size=4),
        max_leaves=8,
    )
)
def test_the_place_is_the_one_that_json_reads(value):
    """Put a mark into each member and item in turn: the place before it leads to it in what ``json`` reads."""

    def places(part, steps=()):
        yield steps
        if isinstance(part, (dict, list)):
            for step in part if isinstance(part, dict) else range(len(part)):
                yield from places(part[step], (*steps, step))

    for steps in places(value):
        text = json.dumps(_marked(value, steps))
        before = text[: text.index('"MARK-')]
        assert place_after(before) == (steps, False)


def _marked(value, steps):
    if not steps:
        return "MARK-\x00"
    step, *rest = steps
    if isinstance(value, dict):
        return {key: _marked(each, rest) if key == step else each for key, each in value.items()}
    return [_marked(each, rest) if n == step else each for n, each in enumerate(value)]


def test_a_grammar_names_its_open_rules():
    found = explain(compile_guide(Vocabulary.toy(), grammar=BRACKETS), b"[[1,x")
    assert (found.verdict, found.at, found.nearest) == ("refused", 4, "[[1,0]]")
    assert found.path == "the open rules, the outermost first: root, root"  # an item that is a root leaves no frame


def test_references_that_double_at_each_step_are_met_once():
    schema = {"$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(60)}}
    schema["$defs"]["a60"] = {"type": "null"}
    names = [name for name, _ in asked_by(schema | {"$ref": "#/$defs/a0"}, ())]
    assert (names[0], names[-1]) == ("#/$defs/a0", "#/$defs/a60") and len(names) == len({*names}) == 61


@PROPERTY
@given(data=st.data())
def test_the_odds_are_the_models_for_what_a_match_may_begin_with(data):
    """``regex`` says which tokens may come, the model's own pass how likely they are."""
    pattern = "#[0-9a-f]{6}|é+ x"
    text = data.draw(st.sampled_from(["", "#", "#ee8", "#ee82ee", "é", "éé ", "é x", "#z"]))
    ask, vocabulary = prompted("Hex code of violet?"), Tokenizer.load().vocabulary
    found = explain(compile_guide(Vocabulary.toy(), regex=pattern), text.encode(), model=ask)
    read = text.encode()[: found.at].decode()
    logits = ask(Tokenizer.load().encode(read)).tolist()
    total = math.fsum(map(math.exp, logits))
    shares = {}
    for token, content in enumerate(vocabulary.token_bytes):
        whole = None if token in vocabulary.special_ids else content.decode("utf-8", "replace")
        whole = "é" if content == "é".encode()[:1] else whole  # half a character may come where the whole one may
        may = (
            found.may_end
            if token == vocabulary.eos_id
            else whole and regex.fullmatch(pattern, read + whole, partial=True)
        )
        if may:
            shares[token] = math.exp(logits[token]) / total
    expected = sorted(shares.values(), reverse=True)
    assert [share for _, share in found.odds.likely] == pytest.approx(expected[:8], abs=2e-6)
    assert found.odds.kept == pytest.approx(sum(expected), abs=2e-6)
    favourite = max(range(len(logits)), key=logits.__getitem__)
    named = None if favourite == vocabulary.eos_id else vocabulary.token_bytes[favourite].decode("utf-8", "replace")
    assert found.odds.first_choice == named and (None in [token for token, _ in found.odds.likely]) <= found.may_end


def test_the_command_says_it_all(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        return run_course(monkeypatch, capsys, "explain", *arguments)

    file = tmp_path / "schema.json"
    file.write_text(json.dumps(SCHEMA), encoding="utf-8")
    status, out, _ = run("--schema", str(file), '{"name": 1')
    assert status == 1 and "'1' can't come here: line 1, column 10, byte 9." in out
    assert "#/properties/name" in out and 'The nearest whole text: {"name": "","items":[]}' in out
    file.write_text('{"required": ["name"]}', encoding="utf-8")
    assert [run("--schema", str(file), *options, "[1]")[0] for options in ([], ["--reading", "validator"])] == [1, 0]
    status, out, _ = run("--regex", "a+", "--json", "aa")
    assert status == 0 and json.loads(out)["verdict"] == "whole"
    out = run("--regex", "#[0-9a-f]{6}|no", "--prompt", "Hex code of violet?", "#z")[1]
    assert "The model's odds: 'e' " in out and "A mask leaves it " in out
    status, out, _ = run("--regex", "[0-9]+", "--token", "1049", "7")  # Tekken's first thousand tokens have no bytes
    assert "71" in out and status == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["x"], "one of --regex, --schema, --grammar and --tools"),
        (["--regex", "a", "--schema", "b", "x"], "one of --regex, --schema, --grammar and --tools"),
        (["--grammar", "no/such/file", "x"], "the grammar cannot be read from 'no/such/file': No such file"),
        (["--regex", "a", "--token", "999999", "x"], "no token 999999"),
        (["--regex", "a", "--token", "3", "x"], "no token 3 with bytes of its own"),
        (["--regex", "(a", "x"], "position"),
        (["--regex", "a", "a" * 200_000], "more than 100,000 bytes"),
        (["--regex", "a*", "--prompt", "x", "a" * 9000], "context is too long"),
    ],
)
def test_what_cannot_be_explained(monkeypatch, capsys, arguments, says):
    status, _, error = run_course(monkeypatch, capsys, "explain", *arguments)
    assert status not in (0, 1) and says in error


def test_the_page_of_mistakes_shows_what_the_command_prints(tmp_path, monkeypatch, capsys):
    """Each command with its output; the schema is the page's own. What a model writes by mistake is no JSON for it."""
    page = (ROOT / "book" / "pages" / "mistakes.md").read_text(encoding="utf-8")
    (tmp_path / "sale.json").write_text(re.search(r"```json\n(.*?)```", page, re.S)[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = re.findall(r"```(?:console|text)\n\$ python3 -m course ((?:'[^']*'|[^'\n])*)\n(.*?)\n```", page, re.S)
    for command, output in shown:
        status, out, _ = run_course(monkeypatch, capsys, *shlex.split(command))
        assert (status, out.strip()) == (1, output), command
    assert len(shown) == page.count("$ python3") == 11 and len(re.findall(r"^## \d+\. ", page, re.M)) == 10
