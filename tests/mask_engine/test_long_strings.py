"""Strings whose lengths are counted beside an automaton, against brute force over short texts."""

import json
from itertools import product

import pytest

from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from mask_engine import compile_json_schema
from mask_engine.trees import counting

TEXTS = ["".join(chars) for length in range(7) for chars in product("abx", repeat=length)]


@pytest.mark.parametrize("pattern", ["(ab|x)*", "a{0,3}b*", "[ab]*abb", "x", "a?b{3}"])
@pytest.mark.parametrize(("least", "most"), [(0, 4), (2, 5), (3, None), (0, 0), (1, 1), (9, 12)])
def test_a_count_beside_an_automaton(pattern: str, least: int, most: int | None) -> None:
    free = compile_dfa(pattern)
    counted = counting.counted(free, least, most)
    for text in TEXTS:
        inside = least <= len(text) and (most is None or len(text) <= most)
        assert fullmatch(counted, text) == (inside and fullmatch(free, text)), text


def test_a_format_beside_a_length_too_large_to_count() -> None:
    """Shorter texts of the format are written; with a pattern or a least length it is refused at once."""
    asked = {"type": "string", "format": "uri", "maxLength": 2048}
    matcher = compile_json_schema(asked)
    assert matcher.fullmatch(json.dumps("https://example.com/" + "a" * 200))
    assert not matcher.fullmatch(json.dumps("https://example.com/" + "a" * 2048))
    for more in ({"pattern": "^h"}, {"minLength": 1000}):
        with pytest.raises(LimitExceeded, match="2,048 characters beside a pattern or format"):
            compile_json_schema({**asked, **more})
