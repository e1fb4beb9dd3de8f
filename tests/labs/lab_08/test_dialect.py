"""Lab 08's tests refuse what lab 06 does not compile, also where it is hidden from a search."""

import re

import pytest

from labs.lab_08_json_schema.test_lab import check_regular
from tests.labs import listed

HIDDEN = listed(r"a(?=b)b (?#[)(?=ab)(?#])a. (a)(?#[)\1(?#]) (?i:a) \\(?!b)a (?>a) a++")


@pytest.mark.parametrize("pattern", [*HIDDEN, "(?x)#[\n(?=ab)#]\na."])
def test_what_no_automaton_does_is_refused(pattern: str) -> None:
    with pytest.raises(AssertionError, match="not in the dialect"):
        check_regular(re.compile(pattern), "f()")


@pytest.mark.parametrize("pattern", listed(r"\(?x (?:a|\(?) [(?=] [\](?=]a (?:\\)+ \++"))
def test_what_only_looks_so_is_not(pattern: str) -> None:
    check_regular(re.compile(pattern), "f()")
