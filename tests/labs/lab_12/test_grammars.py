"""The grammars that are shipped, each against an oracle of its own: texts of the grammar, and changed ones."""

import ast
import json
import random
import re
import sqlite3
from pathlib import Path

import pytest

from labkit.vocabulary import Vocabulary
from labs.lab_12_pushdown import solution
from mask_engine import compile_guide
from tests.labs.lab_12.recogniser_of_c import is_program
from tests.walks import read

FOLDER = Path(solution.__file__).parent / "given" / "grammars"
BYTES = Vocabulary.bytes()


@pytest.fixture(scope="module")
def guides():
    """Return the guide of each grammar, over bytes."""
    return {path.stem: compile_guide(BYTES, grammar=path.read_text()) for path in FOLDER.glob("*.gbnf")}


def accepts(guide, text):
    """Return whether a guide leads through a text, and its masks with it."""
    states = read(guide, text)
    return states is not None and guide.is_accepting(states[-1])


def written(guide, rnd, most):
    """Return a text of the grammar by random bytes of ASCII within a budget of tokens."""
    state, text = guide.initial, bytearray()
    for remaining in range(most, 0, -1):
        mask = guide.mask(state, remaining)
        choices = [byte for byte in range(128) if mask[byte // 32] >> byte % 32 & 1]
        if not choices or (guide.is_accepting(state) and rnd.random() < 0.02):
            break
        # Structure rather than long strings.
        signs = [byte for byte in choices if not chr(byte).isalnum()]
        text.append(rnd.choice(signs if signs and rnd.random() < 0.5 else choices))
        state = guide.advance(state, text[-1])
    assert guide.is_accepting(state)
    return text.decode()


def changed(text, rnd, alphabet):
    """Return a text with one character more, less, or another one."""
    at = rnd.randrange(len(text) + 1)
    return text[:at] + rnd.choice([*alphabet, ""]) + text[at + rnd.randrange(2) :]


def is_balanced(text):
    shorter = re.sub(r"\(\)|\[\]|\{\}", "", text)
    return text == "" if shorter == text else is_balanced(shorter)


def is_arithmetic(text):
    """Ask Python's own parser; what it takes beyond numbers, signs and parentheses is refused first."""
    if re.search(r"[^-+*/%(). 0-9]|\(\)| {5}|[0-9.] +[0-9.]|\* \*|/ /|\.(?![0-9])|(?<![0-9])\.|[0-9]\.[0-9]+\.", text):
        return False
    if re.search(r"(?<![0-9.])0[0-9]|/{3}|\*{3}", text):
        return False
    try:
        tree = ast.parse(text.strip(" "), mode="eval")
    except SyntaxError:
        return False
    kinds = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.operator, ast.unaryop)
    return all(isinstance(node, kinds) for node in ast.walk(tree))


def is_json(text):
    try:
        json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return False
    return True


ORACLES = {
    "brackets": (is_balanced, "()[]{}"),
    "arithmetic": (is_arithmetic, "+-*/%() .0123"),
    "json": (is_json, '{}[]",:\\ \n01-+.eEtrufalsn'),
    "c": (is_program, "vint {}()[]<>=;,+-*/&|!~?:\n0123ab'"),
}


@pytest.mark.parametrize("name", ORACLES)
def test_a_grammar_accepts_what_its_oracle_accepts(guides, name):
    """Random texts of the grammar, and the same with one character changed, are judged alike by both."""
    oracle, alphabet = ORACLES[name]
    rnd = random.Random(name)
    verdicts = []
    for most in range(30, 80):
        text = written(guides[name], rnd, most)
        assert oracle(text), text
        for _ in range(8):
            other = changed(text, rnd, alphabet)
            verdicts.append(accepts(guides[name], other))
            assert verdicts[-1] == oracle(other), other
    assert 20 < sum(verdicts) < len(verdicts) - 20


def test_sqlite_reads_every_select(guides):
    """SQLite prepares what the grammar writes; what it refuses about a text is about names, never about syntax."""
    rnd = random.Random(1)
    database = sqlite3.connect(":memory:")
    for most in range(35, 90):
        text = written(guides["sql"], rnd, most)
        try:
            database.execute(f"EXPLAIN {text}")
        except sqlite3.Error as error:
            assert "syntax" not in str(error) and "unrecognized" not in str(error), text


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM t",
        "SELECT DISTINCT a, b.c AS d FROM t AS u JOIN v ON u.id = v.id WHERE a > 1 AND NOT b IS NULL ORDER BY a DESC",
        "SELECT COUNT(*) FROM (SELECT a FROM t LIMIT 5) AS s GROUP BY a HAVING COUNT(DISTINCT b) >= 2",
        "SELECT a FROM t WHERE b NOT IN (SELECT c FROM u WHERE EXISTS (SELECT * FROM v)) OR s LIKE 'it''s %'",
    ],
)
def test_ordinary_selects_are_in_the_grammar(guides, text):
    """Queries as people write them, and none of them cut short."""
    assert accepts(guides["sql"], text)
    assert not accepts(guides["sql"], text + ",") and not accepts(guides["sql"], text.replace("FROM", "FORM"))
