"""The intersection of a tree and an automaton, held against every short text."""

import random
import re

import pytest

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, Dfa
from labkit.automata.syntax import Chars
from labkit.automata.trees import NOTHING, char, choice, optional, row, times
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch, parse_tree
from labs.lab_08_json_schema.given.explore import explore
from mask_engine.compiling import characters_of
from mask_engine.patterns.lazy import LazyDfa, Rule, Spelled
from mask_engine.trees.counting import counted
from mask_engine.trees.within import within
from tests.mask_engine.test_lazy import accepts, after
from tests.walks import matched, words

TEXTS = words("abc", 5)
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


# Other automata of sets of texts ------------------------------------------------------------------------------------


def test_literals_have_a_limit():
    with pytest.raises(LimitExceeded, match="too many states"):
        literals(["ab" * MAX_DFA_STATES])
    with pytest.raises(LimitExceeded, match="a table of 3,001 states by 3,000 classes"):
        literals(["".join(map(chr, range(0x4E00, 0x4E00 + 3000)))])


def test_a_rule_is_explored():
    made = explore((0, 0), lambda at, char: (at[0] + (char == "a"), at[1] + (char == "b")) if sum(at) < 4 else None,
                   lambda at: at[0] == at[1], "ab")  # fmt: skip
    assert matched(made, TEXTS) == {text for text in TEXTS if text.count("a") == text.count("b") == len(text) / 2}
    with pytest.raises(LimitExceeded, match="too many states"):
        explore(0, lambda n, char: n + 1, lambda n: False, "a")


@pytest.mark.parametrize("pattern", ["", "a", "a*", "(ab)*", "a{2,5}", "[ab]*b", "a+b|b{3}"])
@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 2), (1, 1), (2, 4), (3, 2), (0, 9), (0, None), (2, None)])
def test_characters_are_counted(pattern, least, most):
    """Also of a small automaton, of one without classes, and of bounds that nothing satisfies."""
    lengths = range(least, 6 if most is None else most + 1)
    wanted = {text for text in TEXTS if re.fullmatch(pattern, text) and len(text) in lengths}
    assert matched(counted(compile_dfa(pattern), least, most), TEXTS) == wanted
