"""Strings whose lengths and escapes are too many for one automaton, against brute force over short texts."""

import json
from itertools import product

import pytest

from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_08_json_schema.given.schemas.trees import counting
from labs.lab_12_pushdown.given.schemas.building import strings
from labs.lab_12_pushdown.given.schemas.compiler import schema_grammar
from tests.labs.lab_12.recogniser import accepts

TEXTS = ["".join(chars) for length in range(7) for chars in product("abx", repeat=length)]


@pytest.mark.parametrize("pattern", ["(ab|x)*", "a{0,3}b*", "[ab]*abb", "x", "a?b{3}"])
@pytest.mark.parametrize(("least", "most"), [(0, 4), (2, 5), (3, None), (0, 0), (1, 1), (9, 12)])
def test_a_count_beside_an_automaton(pattern: str, least: int, most: int | None) -> None:
    free = compile_dfa(pattern)
    counted = counting._counted(free, least, most)
    for text in TEXTS:
        inside = least <= len(text) and (most is None or len(text) <= most)
        assert fullmatch(counted, text) == (inside and fullmatch(free, text)), text


def test_escapes_as_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "MOST_ENCODED", 0)
    strings._written_out.cache_clear()
    grammar = schema_grammar({"type": "string", "pattern": '^[a"\n\\\\é\U0001f600]{2,5}$'})
    strings._written_out.cache_clear()
    assert len(grammar) > 1
    for text in ["aa", 'a"', "a\n", "éé", "\U0001f600a", "\\\\", 'a"\n\\é']:
        for ascii_only in (True, False):
            assert accepts(grammar, json.dumps(text, ensure_ascii=ascii_only))
    for json_text in [r'"\u0061\u000A"', r'"\u00E9a"', r'"\uD83D\uDE00a"']:
        assert accepts(grammar, json_text)
    for wrong in [
        '"a"',
        r'"a\x"',
        '"a""',
        '"a\n"',
        '"ab"',
        r'"\ud83da"',
        r'"\u0062a"',
        "aa",
        '"aaaaaa"',
        '"aa',
        r'"a\/"',
    ]:
        assert not accepts(grammar, wrong)


@pytest.mark.parametrize("asked", [{"format": "email"}, {"format": "hostname"}, {"format": "uri"}])
def test_a_format_beside_a_length(asked: dict[str, str]) -> None:
    text = {"email": "someone@example.com", "hostname": "www.example.com", "uri": "https://example.com/a"}[
        asked["format"]
    ]
    grammar = schema_grammar({"type": "string", "maxLength": 100, **asked})
    assert accepts(grammar, json.dumps(text))
    longer = text.replace("example", "e" * 50 + "." + "e" * 50)
    assert len(longer) > 100
    assert accepts(schema_grammar({"type": "string", **asked}), json.dumps(longer))
    assert not accepts(grammar, json.dumps(longer))
    exact = schema_grammar({"type": "string", "maxLength": len(text), **asked})
    assert accepts(exact, json.dumps(text))
    assert not accepts(schema_grammar({"type": "string", "maxLength": len(text) - 1, **asked}), json.dumps(text))


def test_a_format_beside_a_length_too_large_to_count() -> None:
    """Shorter texts of the format are written; with a pattern or a least length it is refused at once."""
    asked = {"type": "string", "format": "uri", "maxLength": 2048}
    grammar = schema_grammar(asked)
    assert accepts(grammar, json.dumps("https://example.com/" + "a" * 200))
    assert not accepts(grammar, json.dumps("https://example.com/" + "a" * 2048))
    for more in ({"pattern": "^h"}, {"minLength": 1000}):
        with pytest.raises(LimitExceeded, match="2,048 characters beside a pattern or format"):
            schema_grammar({**asked, **more})
