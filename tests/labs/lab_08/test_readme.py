"""The tables and figures of lab 08's pages, compared with the code."""

import json
import re
import subprocess
import sys

import pytest

from course.student.core.catalog import find_lab
from labkit.automata import trees
from labkit.automata.trees import char, regex_of
from labkit.errors import SchemaError
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.whitespace import policy
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


def test_the_message_in_full():
    schema = {"type": "array", "items": {"type": "string", "pattern": "^a"}}
    with pytest.raises(SchemaError) as caught:
        lab.json_schema_to_regex(schema)
    said = f"{type(caught.value).__name__}: {caught.value}"
    assert f"```\n>>> json_schema_to_regex({json.dumps(schema)})\n{said}\n```" in README


@pytest.mark.parametrize(("form", "what", "matches", "does_not"), table("| form | what | matches | does not |", README))
def test_forms_of_a_character(form, what, matches, does_not):
    texts = [text for text in code(does_not) if text != '"'] + ['"', "\n", "\t", "\\", r"\ud83d", r"\ude00\ud83d"]
    assert all(re.fullmatch(regex_of(lab.string_tree(1, 1)), f'"{text}"') for text in code(matches))
    assert not any(re.fullmatch(regex_of(lab.string_tree(1, 1)), f'"{text}"') for text in texts)


def test_the_question():
    """The answer to the question of the first page, for the expression asked about."""
    asked = r"\{(?:a,)?b?(?:,c)?\}"
    assert f"`{asked}`" in README
    texts = ["{}", "{a}", "{b}", "{c}", "{a,b}", "{a,c}", "{b,c}", "{a,b,c}", "{a,}", "{,c}", "{a,,c}", "{ac}", "{b,}"]
    right = regex_of(lab.object_tree([(char(name), False) for name in "abc"], policy("compact")))
    also = [text for text in texts if re.fullmatch(asked, text) and not re.fullmatch(right, text)]
    misses = [text for text in texts if re.fullmatch(right, text) and not re.fullmatch(asked, text)]
    (answer,) = re.findall(r"It matches (.+?), and it misses (.+?)\.", WORDS)
    assert [code(part) for part in answer] == [also, misses]


def test_the_expression_of_the_lamp():
    schema, pattern = re.findall(
        r"```\n(.*)\n```", README.split("### Trees, not text")[0].split("### What you promise")[1]
    )
    assert lab.json_schema_to_regex(json.loads(schema), whitespace="compact") == pattern


@pytest.mark.parametrize("script", re.findall(r'```\npython3 -c "\n(.+?)\n"\n```', README, re.S))
def test_a_script_prints_what_the_page_says(script):
    """It runs on the reference, in the place of a starter that is written."""
    command = [sys.executable, "-c", script.replace("starter", "solution")]
    said = subprocess.run(command, cwd=FOLDER.parents[1], capture_output=True, text=True, check=True).stdout.strip()
    assert f"It prints `{said}`." in WORDS


# Tables ---------------------------------------------------------------------------------------------


def both(dfa, matches, does_not):
    """Return whether an automaton matches the texts of one cell, and none of another's."""
    return [fullmatch(dfa, text) for text in code(matches)] + [not fullmatch(dfa, text) for text in code(does_not)]


def spliced(skeleton, part, matches, does_not):
    made = lab.splice(compile_dfa(code(skeleton)[0]), {ord("N"): compile_dfa(code(part)[0])})
    return all(both(made, matches, does_not))


def order(number, order, why):
    orders = [each for each in (-1, 0, 1) if fullmatch(lab.compare_digits("17.5", [each]), code(number)[0])]
    return orders == [{"less": -1, "equal": 0, "greater": 1}[order]]


def built(calls, gives, patterns):
    """Each call of the table of functions that build trees, and its expression."""
    made = [regex_of(eval(call, vars(trees) | {"read": lab.read})) for call in code(calls)]
    return made == (code(patterns) or made)


def tempting(pattern, also):
    right = regex_of(lab.object_tree([(char("a"), False), (char("b"), False)], policy("compact")))
    texts = ["{}", "{a}", "{b}", "{a,b}", "{a,}", "{,b}", "{,}", "{ab}", "{b,a}"]
    return code(also) == [t for t in texts if re.fullmatch(code(pattern)[0], t) and not re.fullmatch(right, t)]


TABLES = {
    "| skeleton | part for the marker N | matches | does not |": spliced,
    "| number | to 17.5 | why |": order,
    "| call | gives | expression |": built,
    "| tempting | also matches |": tempting,
    "| | accepted | refused |": lambda kind, accepted, refused: all(
        both(compile_dfa(regex_of(lab.number_tree(integer="integer=True" in kind))), accepted, refused)
    ),
}
"""A table's heading, and whether one of its rows is true."""


@pytest.mark.parametrize(("heading", "row"), [(heading, row) for heading in TABLES for row in table(heading, README)])
def test_a_row_of_the_page_is_true(heading, row):
    if heading != "| call | gives | expression |" or len(code(row[0])) == 1 or code(row[2]):
        assert TABLES[heading](*row)
