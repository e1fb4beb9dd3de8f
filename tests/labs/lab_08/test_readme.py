"""The tables and figures of lab 08's pages, compared with the code."""

import json
import re
import subprocess
import sys

import pytest

from course.student.core.catalog import find_lab
from labkit.errors import SchemaError
from labs.lab_06_regex_to_dfa.solution import compile_dfa, equivalent, fullmatch
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.whitespace import policy
from mask_engine.trees import objects
from mask_engine.trees.whole import schema_automaton
from tests.labs import table

FOLDER = find_lab(8).folder
README = (FOLDER / "README.md").read_text(encoding="utf-8")
GIVEN = (FOLDER.parents[1] / "mask_engine" / "README.md").read_text(encoding="utf-8")
WORDS = " ".join(README.split())


def code(cell):
    """Return the texts between backticks."""
    return re.findall(r"`([^`]+)`", cell)


REFUSALS = [(code(schema)[0], *code(kind), where) for schema, kind, where in table("| schema | error | place |", GIVEN)]


@pytest.mark.parametrize(("schema", "kind", "where"), REFUSALS, ids=[row[0] for row in REFUSALS])
def test_a_refusal_is_where_the_page_says(schema, kind, where):
    with pytest.raises(SchemaError) as caught:
        schema_automaton(json.loads(schema))
    assert (type(caught.value).__name__, caught.value.pointer) == (kind, (code(where) or [""])[0])


def test_the_tables_have_enough_rows():
    assert len(REFUSALS) >= 12 and len(table("| tempting | also matches |", README)) == 4


def test_the_message_in_full():
    schema = {"type": "array", "items": {"type": "string", "pattern": "^a"}}
    with pytest.raises(SchemaError) as caught:
        lab.json_schema_to_regex(schema)
    said = f"{type(caught.value).__name__}: {caught.value}"
    assert f"```\n>>> json_schema_to_regex({json.dumps(schema)})\n{said}\n```" in README


@pytest.mark.parametrize(("kind", "accepted", "refused"), table("| | accepted | refused |", README))
def test_numbers(kind, accepted, refused):
    pattern = lab.number_regex(integer="integer=True" in kind)
    assert all(re.fullmatch(pattern, text) for text in code(accepted)) and len(code(accepted)) > 2
    assert not any(re.fullmatch(pattern, text) for text in code(refused)) and len(code(refused)) > 4


@pytest.mark.parametrize(("form", "what", "matches", "does_not"), table("| form | what | matches | does not |", README))
def test_forms_of_a_character(form, what, matches, does_not):
    texts = [text for text in code(does_not) if text != '"'] + ['"', "\n", "\t", "\\", r"\ud83d", r"\ude00\ud83d"]
    assert all(re.fullmatch(lab.string_regex(1, 1), f'"{text}"') for text in code(matches))
    assert not any(re.fullmatch(lab.string_regex(1, 1), f'"{text}"') for text in texts)


def test_spellings_of_a_character():
    """The regular expressions of the table are equivalent to the reference's, and match the spellings beside them."""
    rows, count = table("| character | written in JSON as | regular expression |", README), 0
    for name, spellings, patterns in rows:
        chars = code(name) or [{"new line": "\n", "U+0001": "\x01", "U+007F": "\x7f"}[name]]
        for char, pattern in zip(chars, code(patterns), strict=True):
            assert equivalent(compile_dfa(pattern), compile_dfa(lab.spell_character(char))), (char, pattern)
            count += 1
        assert all(any(re.fullmatch(pattern, text) for pattern in code(patterns)) for text in code(spellings))
    assert count == 10


@pytest.mark.parametrize(("pattern", "also"), table("| tempting | also matches |", README))
def test_tempting_expressions(pattern, also):
    right = lab.object_regex([("a", False), ("b", False)], policy("compact"))
    texts = ["{}", "{a}", "{b}", "{a,b}", "{a,}", "{,b}", "{,}", "{ab}", "{b,a}"]
    wrong = [text for text in texts if bool(re.fullmatch(code(pattern)[0], text)) and not re.fullmatch(right, text)]
    assert wrong == code(also)


def test_the_question():
    """The answer to the question of the first page, for the expression asked about."""
    asked = r"\{(?:a,)?b?(?:,c)?\}"
    assert f"`{asked}`" in README
    texts = ["{}", "{a}", "{b}", "{c}", "{a,b}", "{a,c}", "{b,c}", "{a,b,c}", "{a,}", "{,c}", "{a,,c}", "{ac}", "{b,}"]
    right = lab.object_regex([("a", False), ("b", False), ("c", False)], policy("compact"))
    also = [text for text in texts if re.fullmatch(asked, text) and not re.fullmatch(right, text)]
    misses = [text for text in texts if re.fullmatch(right, text) and not re.fullmatch(asked, text)]
    (answer,) = re.findall(r"It matches (.+?), and it misses (.+?)\.", WORDS)
    assert [code(part) for part in answer] == [also, misses]


def test_the_sizes():
    many = {"type": "object", "properties": {f"key{i}": {"type": "string"} for i in range(40)}}
    pattern = lab.json_schema_to_regex(many, whitespace="compact")
    assert f"the regular expression has {len(pattern):,} characters" in WORDS
    assert f"its minimal automaton has only {len(schema_automaton(many, whitespace='compact')):,} states" in WORDS
    lists = {"type": "integer"}
    for _ in range(4):
        lists = {"type": "array", "items": lists}
    assert f"expression of {len(lab.json_schema_to_regex(lists)):,} characters" in WORDS
    for _ in range(8):
        lists = {"type": "array", "items": lists}
    assert f"would have {len(lab.json_schema_to_regex(lists)):,} characters" in WORDS
    ten = len(compile_dfa('"' + r"(a|\\u0061)" * 10 + '"')) / len(compile_dfa(lab.literal_regex("a" * 10)))
    assert "nearly five times as large" in WORDS and 4.5 < ten < 5


def test_the_expression_of_the_lamp():
    schema, pattern = re.findall(r"```\n(.*)\n```", README.split("### TODO 1")[0].split("### What you promise")[1])
    assert lab.json_schema_to_regex(json.loads(schema), whitespace="compact") == pattern


@pytest.mark.parametrize("script", re.findall(r'```\npython3 -c "\n(.+?)\n"\n```', README, re.S))
def test_a_script_prints_what_the_page_says(script):
    """It runs on the reference, in the place of a starter that is written."""
    command = [sys.executable, "-c", script.replace("starter", "solution")]
    said = subprocess.run(command, cwd=FOLDER.parents[1], capture_output=True, text=True, check=True).stdout.strip()
    if "deep" in said:
        first, *_, last = said.splitlines()
        assert (first, last) == ("1 deep: 7 states", "12 deep: 40 states")
        assert "It prints 7 states for one level and 40 for twelve" in WORDS
    else:
        assert f"It prints `{said}`." in WORDS


def test_the_object_of_the_picture():
    automaton = compile_dfa(lab.object_regex([("a", False), ("b", True), ("c", False)], policy("compact")))
    texts = ["{b}", "{a,b}", "{b,c}", "{a,b,c}"]
    assert ", ".join(f"`{text}`" for text in texts) in WORDS and all(fullmatch(automaton, text) for text in texts)


# In an engine ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("patterns", "shared"), table("| automata | result |", README))
def test_shared_texts(patterns, shared):
    text = lab.shared_text([compile_dfa(pattern) for pattern in code(patterns)])
    assert [str(text)] == code(shared)


@pytest.mark.parametrize(
    ("skeleton", "part", "matches", "does_not"),
    table("| skeleton | part for the marker N | matches | does not |", README),
)
def test_a_spliced_skeleton(skeleton, part, matches, does_not):
    dfa = lab.splice(compile_dfa(code(skeleton)[0]), {ord("N"): compile_dfa(code(part)[0])})
    assert all(fullmatch(dfa, text) for text in code(matches))
    assert not any(fullmatch(dfa, text) for text in code(does_not))


@pytest.mark.parametrize(("number", "order", "why"), table("| number | to 17.5 | why |", README))
def test_order_to_a_bound(number, order, why):
    orders = [each for each in (-1, 0, 1) if fullmatch(lab.compare_digits("17.5", [each]), code(number)[0])]
    assert orders == [{"less": -1, "equal": 0, "greater": 1}[order]]


def test_the_size_beyond_which_another_way_is_taken():
    assert f"more than {objects.MANY} members" in " ".join(GIVEN.split())
