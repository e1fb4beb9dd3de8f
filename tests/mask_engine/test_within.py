"""The intersection of a tree and an automaton, held against every short text."""

import random
from itertools import product

import pytest

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Chars
from labkit.automata.trees import NOTHING, char, choice, optional, row, times
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch, parse_tree
from mask_engine.compiling import characters_of
from mask_engine.patterns.lazy import LazyDfa, Rule, Spelled
from mask_engine.trees.within import within
from tests.mask_engine.test_lazy import accepts, after

TEXTS = ["".join(text) for size in range(6) for text in product("abc", repeat=size)]
BESIDE = ["(?s:.)*", "[^b]*", "a*", "(b|ab?|c)*", "((?s:..))*", "a*b(?s:.)*", "c{3}", "(a|b|c){2,4}", "(b|c|a(b|c)*a)*"]


def nested():
    """Return ``a``, or texts of it between brackets ``b`` and ``c``."""
    rule = Rule("nested")
    rule.body = choice([char("a"), row(char("b"), times(rule, 0, 2), char("c"))])
    return rule


def spelled(seed):
    """Return an automaton whose three letters are spelled by texts, some of which are alike."""
    chance = random.Random(seed)
    table = [[chance.choice([DEAD, 0, 1, 2]) for _ in range(3)] for _ in range(3)]
    words = tuple(parse_tree(chance.choice(["a", "ab", "b|c", "a*c", "(a|b){1,3}", "[abc]"])) for _ in range(3))
    accepting = [chance.random() < 0.5 for _ in range(3)]
    table[2], accepting[2] = [DEAD, DEAD, DEAD], True
    table = [[2 if target == DEAD and chance.random() < 0.5 else target for target in line] for line in table]
    return Spelled(Dfa([0, 1, 2, 3], [0, 1, 2, DEAD], table, 0, accepting), words)


TREES = {
    "chars": parse_tree("[a-c]"),
    "counted": parse_tree("[ab]{2,5}"),
    "counts of counts": parse_tree("((a|bc){1,2}c?){1,3}"),
    "loop": parse_tree("(a|bc)*c*"),
    "at least": parse_tree("(a|b|ca){3,}"),
    "automaton": compile_dfa("(ab|c)*a?"),
    "nested": nested(),
    "nested after": row(optional(char("c")), nested(), nested()),
} | {f"spelled {seed}": spelled(seed) for seed in range(12)}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("pattern", BESIDE)
def test_texts_of_both(name, pattern):
    """A text is one of both; and its prefixes are alive only if some text goes on from there, as far as is seen."""
    tree, dfa = TREES[name], compile_dfa(pattern)
    alone, both = characters_of(LazyDfa(tree)), within(tree, dfa)
    expected = {text for text in TEXTS if fullmatch(dfa, text) and accepts(alone, text)}
    if both is NOTHING:
        assert not expected
        return
    states = characters_of(LazyDfa(both))
    ends = {text: after(states, states.initial, text) for text in TEXTS}
    assert {text for text, state in ends.items() if state != DEAD and states.accepts(state)} == expected
    for text in TEXTS:
        needed = states.fewest_bytes(ends[text]) if ends[text] != DEAD else 0
        if ends[text] != DEAD and len(text) + needed <= 5:
            assert any(len(each) == len(text) + needed and each.startswith(text) for each in expected), text
        if ends[text] == DEAD:
            assert not any(each.startswith(text) for each in expected)


def test_what_is_counted_beside_too_much_is_refused():
    with pytest.raises(LimitExceeded):
        within(times(Chars(((97, 99),)), 0, 100_000), compile_dfa("(?s:.)*abc"))
