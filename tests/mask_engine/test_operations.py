"""Lab 08, given: automata as sets of texts. The oracle is Python's ``re``."""

import re

import pytest

from labkit.automata.dfa import MAX_DFA_STATES, Dfa
from labkit.errors import LimitExceeded
from labkit.oracles.automata import accepts as matches
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_08_json_schema.given.explore import explore
from mask_engine import operations as automata
from mask_engine.trees.counting import counted
from tests.walks import matched, words

TEXTS = words("ab", 5)


def test_any_text_nothing_and_the_empty_text():
    """Texts have no lone surrogates."""
    assert matches(automata.ANY, "\ud7ff\ue000\x00\U0010ffff\n")
    assert not matches(automata.ANY, "\ud800") and not matches(automata.ANY, "a\udfff")
    unreachable = Dfa([0], [0], [[0], [1]], initial=0, accepting=[False, True])
    assert automata.is_empty(automata.NOTHING) and automata.is_empty(unreachable)
    assert not automata.is_empty(automata.EMPTY) and not automata.is_empty(automata.ANY)


def test_literals_have_a_limit():
    with pytest.raises(LimitExceeded, match="too many states"):
        literals(["ab" * MAX_DFA_STATES])
    with pytest.raises(LimitExceeded, match="a table of 3,001 states by 3,000 classes"):
        literals(["".join(map(chr, range(0x4E00, 0x4E00 + 3000)))])


def test_a_rule_is_explored():
    made = explore((0, 0), lambda at, char: (at[0] + (char == "a"), at[1] + (char == "b")) if sum(at) < 4 else None,
                   lambda at: at[0] == at[1], "ab")  # fmt: skip
    assert matched(made, TEXTS) == {text for text in TEXTS if text.count("a") == text.count("b")}
    with pytest.raises(LimitExceeded, match="too many states"):
        explore(0, lambda n, char: n + 1, lambda n: False, "a")


@pytest.mark.parametrize("pattern", ["", "a", "a*", "(ab)*", "a{2,5}", "[ab]*b", "a+b|b{3}"])
@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 2), (1, 1), (2, 4), (3, 2), (0, 9), (0, None), (2, None)])
def test_characters_are_counted(pattern, least, most):
    """Also of a small automaton, of one without classes, and of bounds that nothing satisfies."""
    found = matched(counted(automata.compiled(pattern), least, most), TEXTS)
    lengths = range(least, 6 if most is None else most + 1)
    wanted = {text for text in TEXTS if re.fullmatch(pattern, text) and len(text) in lengths}
    assert found == wanted
