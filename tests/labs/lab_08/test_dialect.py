"""Lab 08's tests refuse what lab 06 does not compile, also where it is hidden from a search."""

import re

import pytest

from labs.lab_08_json_schema.test_lab import beyond_the_dialect
from tests.labs import listed

HIDDEN = listed(r"a(?=b)b (?#[)(?=ab)(?#])a. (a)(?#[)\1(?#]) (?i:a) \\(?!b)a (?>a) a++")


@pytest.mark.parametrize("pattern", [*HIDDEN, "(?x)#[\n(?=ab)#]\na."])
def test_what_no_automaton_does_is_refused(pattern: str) -> None:
    assert re.compile(pattern) and beyond_the_dialect(pattern)


@pytest.mark.parametrize("pattern", listed(r"\(?x (?:a|\(?) [(?=] [\](?=]a (?:\\)+ \++"))
def test_what_only_looks_so_is_not(pattern: str) -> None:
    assert not beyond_the_dialect(pattern)
