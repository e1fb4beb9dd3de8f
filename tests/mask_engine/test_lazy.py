"""The automata that are made while they are walked have the language of ``compile_dfa``, and meet the same limits."""

import random
import re
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Alternation, Chars, Concat, Repeat
from labkit.checking.properties import PROPERTY
from labkit.errors import LimitExceeded
from labkit.oracles.automata import living
from labs.lab_06_regex_to_dfa.given import subsets
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, utf8_lengths
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import (
    compile_dfa,
    equivalent,
    fullmatch,
    minimize_dfa,
    nfa_to_dfa,
    parse_regex,
    parse_tree,
)
from mask_engine.operations import intersect
from mask_engine.patterns.lazy import LazyDfa, Rule, Spelled
from tests.labs.lab_06.test_agreement import random_pattern
from tests.walks import matched, words


def lazy(pattern):
    return LazyDfa(parse_tree(pattern))


def accepts(states, text):
    """Walk a text, making what it meets and no more."""
    state = after(states, states.initial, text)
    return state != DEAD and states.accepts(state)


SHORT = ["", "a", "(a*)*", "(a?b?)*", "(a|b)*a(a|b){2}", "(a{2,3}b?){1,2}", "(a|ab)(c|bcd)?", "[^a]{0,2}", "a{0}", "()"]


@pytest.mark.parametrize("seed", range(3))
def test_random_patterns(seed):
    rng, read = random.Random(seed), 0
    for _ in range(60):
        pattern = random_pattern(rng, 4)
        try:
            whole = compile_dfa(pattern)
        except (ValueError, LimitExceeded):
            continue
        assert equivalent(nfa_to_dfa(lazy(pattern)), whole), pattern
        read += 1
    assert read > 30


TREES = st.recursive(
    st.sampled_from("abc").map(lambda char: Chars(((ord(char), ord(char)),)))
    | st.just(Concat(()))
    | st.just(Chars(())),
    lambda below: (
        st.lists(below, max_size=3).map(lambda parts: Concat(tuple(parts)))
        | st.lists(below, min_size=1, max_size=3).map(lambda options: Alternation(tuple(options)))
        | st.tuples(below, st.integers(0, 2), st.integers(0, 2) | st.none()).map(
            lambda each: Repeat(each[0], each[1], None if each[2] is None else each[1] + each[2])
        )
    ),
    max_leaves=8,
)


def written(tree):
    """Return a tree as a pattern of ``re``."""
    match tree:
        case Chars(ranges):
            return chr(ranges[0][0]) if ranges else "(?!)"
        case Concat(parts):
            return "".join(f"(?:{written(part)})" for part in parts)
        case Alternation(options):
            return "|".join(f"(?:{written(option)})" for option in options)
        case Repeat(body, least, most):
            return f"(?:{written(body)}){{{least},{'' if most is None else most}}}"


@settings(PROPERTY)
@given(TREES)
def test_trees_with_parts_that_match_nothing(tree):
    """From every state that is met an accepting one can be reached."""
    states, pattern = LazyDfa(tree), re.compile(written(tree))
    over = words("abc", 4)
    expected = {text for text in over if pattern.fullmatch(text)}
    whole = nfa_to_dfa(states)
    assert matched(whole, over) == expected
    assert states.is_empty == (not whole.accepting.any())
    if not states.is_empty:
        assert len(minimize_dfa(whole)) <= len(whole)
        assert living(whole) == set(range(len(whole)))


# Only what is met is made -----------------------------------------------------------------------------


def test_a_walk_makes_the_states_that_it_meets():
    """Two million states in full, which meet a limit."""
    states = lazy("(a|b)*a(a|b){20}")
    assert accepts(states, "ba" + "b" * 20) and not accepts(states, "ba" + "b" * 21)
    assert len(states) < 60
    with pytest.raises(LimitExceeded, match="too many states"):
        nfa_to_dfa(states)


def test_counts_are_not_written_out():
    states = lazy("(a{1,30000}b?){1,30000}")
    assert accepts(states, "aab") and len(states) < 10


def test_a_state_of_very_many_items_meets_a_limit(monkeypatch):
    monkeypatch.setattr(subsets, "MAX_SUBSET_MEMBERS", subsets.MAX_SUBSET_MEMBERS // 20)
    states, state = lazy("(a?){2000}" * 30), 0
    with pytest.raises(LimitExceeded):
        while True:
            state = states.row(state)[0]


# How many bytes are left ------------------------------------------------------------------------------


def shortest(states, state):
    """Return the fewest bytes of a text that leads to an end, by a search through whole characters."""
    chars = [range(first, last) for first, last in zip(states.bounds, [*states.bounds[1:], 0x110000], strict=True)]
    sizes = [
        min((len(chr(c).encode()) for c in (*each[:1], 0xE000) if c in each and not 0xD800 <= c < 0xE000), default=None)
        for each in chars
    ]
    level, found, seen = {state}, 0, {}
    waiting = {0: level}
    while waiting:
        found = min(waiting)
        for each in waiting.pop(found):
            if states.accepts(each):
                return found
            if each in seen:
                continue
            seen[each] = found
            for target, bits in states.targets(each).items():
                for symbol_class, size in zip(states.classes, sizes, strict=True):
                    if size is not None and symbol_class != DEAD and bits >> symbol_class & 1:
                        waiting.setdefault(found + size, set()).add(target)
    return float("inf")


BYTES = ["a{3}|é{2}", "[é-￿]{3}a?", "(€|ab){2,4}😀", "[\ud800-\udfff]x|abc", "a[\ud800-\udfff]", "(a{2,3}b?){1,2}c"]


@pytest.mark.parametrize(
    "made",
    [
        *(parse_tree(pattern) for pattern in [*SHORT, *BYTES, "#[0-9a-f]{6}", "abc|abcd|x"]),
        *(Concat((compile_dfa("é{2}a|b"), Repeat(compile_dfa("xyz|€"), 2, 3))), compile_dfa("")),
        literals(["yes", "ja", "né", "nein", "ja!"]),
    ],
)
def test_the_bytes_that_are_left_are_counted_without_a_walk(made):
    """Of patterns, of automata in a tree, and of words."""
    states = LazyDfa(made)
    for state in range(40):
        if state < len(states):
            assert states.fewest_bytes(state) == shortest(states, state) <= states.most_bytes, state


# Automata as leaves -----------------------------------------------------------------------------------


def test_automata_side_by_side_are_kept_apart():
    """Each spells its characters in objects that live for a moment, and the next one's may get their addresses."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert accepts(LazyDfa(Concat(tuple(compile_dfa(letter) for letter in letters))), letters)


@pytest.mark.parametrize(("pattern", "empty"), [("", False), ("[^\\s\\S]", True)])
def test_an_automaton_without_characters(pattern, empty):
    states = LazyDfa(compile_dfa(pattern))
    assert states.is_empty == empty and accepts(states, "") != empty


@pytest.mark.parametrize("pattern", ["a+b", "(ab|b)*", "a|€b|aaa", "(a|b)*a(a|b)", "a{3}|b"])
@pytest.mark.parametrize("most", range(5))
def test_spelled_characters_may_be_counted(pattern, most):
    """A spelled character counts as one, however long it is; the oracle counts first and spells afterwards."""
    dfa, spelling = compile_dfa(pattern), {"a": parse_tree("x?x|é"), "b": parse_tree("bé"), "€": parse_tree("€")}
    counted = intersect(dfa, compile_dfa(f"(?s:.){{0,{most}}}"))
    limited = LazyDfa(Concat((_spelled(dfa, spelling, most), parse_tree("!"))))
    oracle = LazyDfa(Concat((_spelled(counted, spelling, None), parse_tree("!"))))
    assert limited.is_empty == oracle.is_empty
    assert equivalent(nfa_to_dfa(limited), nfa_to_dfa(oracle))
    away = fewest_bytes(nfa_to_dfa(limited), [utf8_lengths(each)[0] for each in nfa_to_dfa(limited).class_ranges])
    assert [limited.fewest_bytes(state) for state in range(len(limited))] == away.tolist()
    assert limited.is_empty or limited.most_bytes >= max(away)


def _spelled(dfa, spelling, most):
    return Spelled(dfa, tuple(spelling[chr(ranges[0][0])] for ranges in dfa.class_ranges), most)


# Counts that are far from their ends --------------------------------------------------------------------

FAR = [
    "a{0,30}b?",
    "(ab?){2,30}",
    "(a?){0,20}b",
    "((a|b{1,20}),){3,12}",
    "((ab){0,15}c?){0,15}",
    "(a{0,9}|b){7}c",
    "(a,(b{0,20},)?){0,9}",
    "(a|aa){9,11}(b|c{12})",
]


def after(states, state, text):
    """Return the state after a text, making what it meets and no more."""
    for char in text:
        place = max(i for i, bound in enumerate(states.bounds) if bound <= ord(char))
        symbol_class = states.classes[place]
        ways = states.targets(state).items() if symbol_class != DEAD else ()
        state = next((target for target, bits in ways if bits >> symbol_class & 1), DEAD)
        if state == DEAD:
            break
    return state


@pytest.mark.parametrize("pattern", [*FAR, Spelled(compile_dfa("(aab)*"), (parse_tree("a"), parse_tree("b|c,")), 29)])
@pytest.mark.parametrize("longest", [1, 3])
def test_states_are_alike_for_short_texts(pattern, longest):
    """After every short text both are dead or alive, end or go on, and need as many bytes."""
    states = LazyDfa(parse_tree(pattern) if isinstance(pattern, str) else pattern)
    rng, shared, short = random.Random(longest), 0, words("abc,", longest)
    commas = max(text.count(",") for text in short)

    def rounds(held):
        return min(longest, commas + 1 if ord(",") in held else longest)

    for _ in range(15):
        state = states.initial
        for _ in range(45):
            other = states.alike(state, rounds)
            shared += other != state
            for text in short:
                one, two = after(states, state, text), after(states, other, text)
                assert (one == DEAD) == (two == DEAD), (state, text)
                if one != DEAD:
                    assert states.accepts(one) == states.accepts(two)
                    assert states.fewest_bytes(one) == states.fewest_bytes(two)
            ways = [way for char in "abc," if (way := after(states, state, char)) != DEAD]
            if not ways:
                break
            state = rng.choice(ways)
    assert shared


# Words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_words(seed):
    """By the trie, by subsets and one by one; the empty word, words twice, and words that begin others included."""
    rng = random.Random(seed)
    texts = ["".join(rng.choices("abé\U0001f600 \n", k=rng.randrange(6))) for _ in range(rng.randrange(1, 40))]
    direct, by_subsets = literals(texts), minimize_dfa(nfa_to_dfa(parse_regex("|".join(texts))))
    assert len(direct) == len(by_subsets)
    assert equivalent(direct, by_subsets)
    assert all(fullmatch(direct, text) == (text in texts) for text in [*texts, "", "b", "abb", "é\n"])


def test_no_bound_where_what_is_spelled_nests():
    """A step that leads nowhere has none of the bytes of what would be spelled there."""
    rule = Rule("nested")
    rule.body = Alternation((Chars(((97, 97),)), Concat((Chars(((98, 98),)), rule))))
    whole = Dfa([0, 1, 2], [0, 1, DEAD], [[1, DEAD], [DEAD, 1]], 0, [False, True])
    assert LazyDfa(Spelled(whole, (rule, rule))).most_bytes == inf
